import Foundation

/// The stored metadata of an upload.
struct UploadRecord: Codable, Sendable {
    let id: String
    /// The name of the resulting file.
    let name: String
    /// The client's preconditions for the file that is replaced.
    var preconditions: Preconditions?
    /// The length of the file, once it is known.
    var length: Int?
    /// The number of bytes synced when this record was written.
    var syncedLength = 0
    /// The boot during which this record was written.
    var bootID: String?
    var isComplete = false
    /// The time of creation, in seconds since 1970.
    let createdAt: Double
    /// The time of completion, in seconds since 1970.
    var completedAt: Double?

    private enum CodingKeys: String, CodingKey {
        case id, name, preconditions, length, isComplete
        case syncedLength = "safe"
        case bootID = "boot"
        case createdAt = "created"
        case completedAt = "ended"
    }

    /// The lifetime of an upload from its creation, whether complete or not, in seconds.
    static let lifetime = 7.0 * 86_400
    /// The lifetime of an upload without content from its beginning or its last request, in seconds.
    static let emptyLifetime = 300.0
    /// The lifetime of an upload without content from its beginning, however many requests it gets, in seconds.
    static let maxEmptyLifetime = 900.0
    /// The time without a byte after which an incomplete upload makes room for others when a limit is reached, in seconds.
    static let idleTime = 600.0

    /// Returns the remaining lifetime, in seconds.
    ///
    /// - Parameter isEmpty: Whether the upload has no content yet, which shortens its lifetime.
    func remainingLifetime(isEmpty: Bool, at now: Date) -> Int {
        let lifetime = isEmpty && !isComplete ? Self.emptyLifetime : Self.lifetime
        return max(0, Int(createdAt + lifetime - now.timeIntervalSince1970))
    }

    /// Whether the values are plausible: the file may be corrupt.
    var isValid: Bool { UploadName(name) != nil && syncedLength >= 0 && length ?? 0 >= 0 && abs(createdAt) < 1e12 }

    /// Whether a text is a well-formed upload id, and therefore safe in a file name.
    static func isValidID(_ text: String) -> Bool {
        text.count == idLength && text.allSatisfy { $0.isASCII && ($0.isNumber || ("a"..."f").contains($0)) }
    }

    /// The number of hexadecimal digits of an id: 128 unguessable bits.
    static let idLength = 32

    static func makeID() -> String {
        let half = { String(UInt64.random(in: .min ... .max), radix: 16) }
        return [half(), half()].map { String(repeating: "0", count: 16 - $0.count) + $0 }.joined()
    }
}
