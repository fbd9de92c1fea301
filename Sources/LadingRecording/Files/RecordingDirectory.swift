import FilePermissions
import Foundation
import HTTPTypes
import LadingHTTP

/// A directory with one folder per exchange, in the order in which they began: `000007-GET-example.org-order-7.xml`.
struct RecordingDirectory {
    /// The maximum number of exchanges to read, each of which is held in memory without its bodies.
    static let exchangeLimit = 100_000

    /// The maximum number of an exchange; folders with a larger one are ignored.
    private static let numberLimit = 1_000_000_000

    /// The maximum length of a folder name, in characters.
    private static let nameLimit = 60

    let url: URL

    /// Creates the directory if it does not exist, for its owner only, and returns the number of the next exchange.
    func prepare() throws -> Int {
        do {
            try PrivateFiles.createDirectory(url)
            return try names().compactMap { Self.number(in: $0.drop { $0 == "." }) }.max().map { $0 + 1 } ?? 1
        } catch {
            throw RecordingError.writeFailed(url, cause: error)
        }
    }

    /// Returns the complete exchanges, in order.
    func recordings() throws -> [Recording] {
        let names: [String]
        do { names = try self.names() } catch { throw RecordingError.readFailed(url, cause: error) }
        let numbered = names.compactMap { name in Self.number(in: name[...]).map { (number: $0, name: name) } }
        guard numbered.count <= Self.exchangeLimit else { throw RecordingError.tooMany(url, limit: Self.exchangeLimit) }
        return try numbered.sorted { ($0.number, $0.name) < ($1.number, $1.name) }.map {
            try Recording(folder: url.appending(path: $0.name, directoryHint: .isDirectory))
        }
    }

    static func name(of message: RequestMessage, number: Int) -> String {
        let digits = String(number)
        let parts = [
            String(repeating: "0", count: max(0, 6 - digits.count)) + digits, message.method.rawValue, message.url.authority ?? "",
            message.url.lastPathComponent,
        ]
        let characters = parts.joined(separator: "-").map { $0.isASCII && ($0.isLetter || $0.isNumber || "-._".contains($0)) ? $0 : "-" }
        return String(String(characters).prefix(nameLimit))
    }

    private static func number(in name: Substring) -> Int? {
        let digits = name.prefix { $0.isASCII && $0.isNumber }
        guard name.dropFirst(digits.count).first == "-", let number = Int(digits), number <= numberLimit else { return nil }
        return number
    }

    private func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: url.path) }
}
