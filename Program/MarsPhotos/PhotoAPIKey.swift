/// The API key of a photo service. Descriptions, reflection and errors do not reveal it.
public struct PhotoAPIKey: Sendable {
    /// The maximum length of a key, in bytes.
    static let lengthLimit = 1_024

    let text: String

    /// Creates a key.
    ///
    /// - Parameter text: The key; surrounding white space is removed. Returns nil when it is then empty or too long.
    public init?(_ text: String) {
        let trimmed = text.trimmingPrefix(while: \.isWhitespace)
        let end = trimmed.lastIndex { !$0.isWhitespace }
        guard let end, trimmed.utf8.count <= Self.lengthLimit else { return nil }
        self.text = String(trimmed[...end])
    }
}

extension PhotoAPIKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "a key" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
