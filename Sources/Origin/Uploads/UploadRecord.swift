import Foundation

/// What an origin keeps of an upload beside its bytes.
struct UploadRecord: Codable, Sendable {
    let id: String
    /// The name of the file that it becomes.
    let name: String
    /// What the client demanded of the file whose place it takes.
    var preconditions: Preconditions?
    /// How long the file will be, once the client has told.
    var length: Int?
    /// How many bytes were synced when this was written.
    var syncedLength = 0
    /// The start of the machine in which this was written.
    var bootID: String?
    var isComplete = false
    /// In seconds since 1970.
    let createdAt: Double
    /// When it became complete, in seconds since 1970.
    var completedAt: Double?

    private enum CodingKeys: String, CodingKey {
        case id, name, preconditions, length, isComplete
        case syncedLength = "safe"
        case bootID = "boot"
        case createdAt = "created"
        case completedAt = "ended"
    }

    /// Whether it can be that of an upload: a damaged file may say anything.
    var isValid: Bool { UploadName(name) != nil && syncedLength >= 0 && length ?? 0 >= 0 && abs(createdAt) < 1e12 }

    /// Whether this could be the id of an upload, and so part of a file's name.
    static func isValidID(_ text: String) -> Bool {
        text.count == idLength && text.allSatisfy { $0.isASCII && ($0.isNumber || ("a"..."f").contains($0)) }
    }

    /// Hexadecimal digits: 128 bits that nobody guesses.
    static let idLength = 32

    static func makeID() -> String {
        let half = { String(UInt64.random(in: .min ... .max), radix: 16) }
        return [half(), half()].map { String(repeating: "0", count: 16 - $0.count) + $0 }.joined()
    }
}
