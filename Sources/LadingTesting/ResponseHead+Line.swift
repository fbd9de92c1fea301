import Foundation
import HTTPTypes
import LadingHTTP

extension ResponseHead {
    /// Creates a head from a line: `206 Content-Range: bytes 40-99/100; ETag: "a"`.
    package init(line: String) {
        let parts = line.split(separator: " ", maxSplits: 1)
        var fields = HTTPFields()
        for field in parts.dropFirst().first?.split(separator: ";") ?? [] {
            let sides = field.split(separator: ":", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            if let name = HTTPField.Name(sides[0]) { fields[name] = sides[1] }
        }
        self.init(status: HTTPResponse.Status(code: Int(parts[0]) ?? 0), headers: fields)
    }
}
