/// A key to a service of photos. It is told to nobody else: descriptions, reflections and errors do not have it.
public struct PhotoAPIKey: Sendable {
    /// The longest key, in bytes.
    static let lengthLimit = 1_024

    let text: String

    /// - Parameter text: Without white space around it; nil when nothing is left, or when it is longer than any key.
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
