import Foundation
import HTTPTypes
import TextComparison

// The metadata of a stored response, as a few lines beside its body.
extension StoredResponse {
    /// The first line of the metadata, which names the format; a response in another format is ignored.
    private static let formatLine = "lading-reply 1"
    /// Follows the status of a response whose body was decoded. Earlier releases ignore such a response.
    private static let decodedMark = " decoded"

    /// The metadata to store beside the body.
    var metadata: [UInt8] {
        var lines = [Self.formatLine, "\(status)\(isDecoded ? Self.decodedMark : "")", Self.text(requestTime), Self.text(responseTime)]
        lines.append(part.map { "\($0.first) \($0.total.map(String.init) ?? "*")" } ?? "")
        lines.append("\(variant.fields.count)")
        for field in variant.fields { lines.append(field.value.map { "\(field.name): \($0.text)" } ?? field.name) }
        for field in headers { lines.append("\(field.name.rawName): \(field.value)") }
        return Array(lines.joined(separator: "\n").utf8)
    }

    /// - Parameter length: The length of the body in bytes.
    init?(metadata: [UInt8], length: Int) {
        var lines = String(decoding: metadata, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)[...]
        guard lines.popFirst() == Self.formatLine[...], let statusLine = lines.popFirst() else { return nil }
        let isDecoded = statusLine.hasSuffix(Self.decodedMark)
        guard let status = Int(isDecoded ? statusLine.dropLast(Self.decodedMark.count) : statusLine), (100...999).contains(status),
            let requestTime = lines.popFirst().flatMap(Self.date), let responseTime = lines.popFirst().flatMap(Self.date),
            let part = lines.popFirst().flatMap({ Self.part($0, length: length) }), let count = lines.popFirst().flatMap({ Int($0) }),
            (0...lines.count).contains(count)
        else { return nil }
        let fields = lines.prefix(count).map { line in
            let (name, value) = Self.field(line)
            return Variant.Field(name: String(name), value: value.map(String.init))
        }
        var headers = HTTPFields()
        for line in lines.dropFirst(count) {
            guard case (let name, let value?) = Self.field(line), let name = HTTPField.Name(String(name)) else { return nil }
            headers.append(HTTPField(name: name, value: String(value)))
        }
        self.init(
            status: status, headers: headers, requestTime: requestTime, responseTime: responseTime, variant: Variant(fields: fields),
            part: part, length: length, isDecoded: isDecoded)
    }

    private static func field(_ line: Substring) -> (name: Substring, value: Substring?) {
        // By bytes: an accent at the beginning of a value makes the space before it another character.
        guard let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")) else { return (line, nil) }
        return (line[..<colon], Substring(line.utf8[colon...].dropFirst(2)))
    }

    /// The milliseconds of a date that are exact, which `text(_:)` can convert.
    private static let milliseconds: ClosedRange<Int64> = -1 << 53...1 << 53

    /// Returns a date in milliseconds since 1970.
    private static func text(_ date: Date) -> String { "\(Int64((date.timeIntervalSince1970 * 1000).rounded()))" }

    private static func date(_ text: Substring) -> Date? {
        Int64(text).flatMap { milliseconds.contains($0) ? Date(timeIntervalSince1970: Double($0) / 1000) : nil }
    }

    /// Parses a part; the outer nil for an invalid one or another body length, the inner one for a complete response.
    private static func part(_ text: Substring, length: Int) -> Part?? {
        guard !text.isEmpty else { return .some(nil) }
        let numbers = text.split(separator: " ")
        guard numbers.count == 2, let first = Int(numbers[0]), first >= 0, first <= Int.max - length else { return nil }
        guard numbers[1] != "*" else { return Part(first: first, total: nil) }
        guard let total = Int(numbers[1]), total >= first + length else { return nil }
        return Part(first: first, total: total)
    }
}
