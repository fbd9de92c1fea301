public import LadingHTTP

/// A value of the database with the entity tag of its state.
public struct DatabaseVersion: Hashable, Sendable {
    /// An entity tag for conditional requests; a missing value has one, too.
    public struct Tag: Hashable, Sendable {
        /// The tag as the server sent it.
        public let text: String

        public init(_ text: String) {
            self.text = text
        }

        /// The tag of a missing value.
        public static let missing = Tag("null_etag")
    }

    public let value: JSONValue
    public let tag: Tag

    /// Creates a version.
    public init(_ value: JSONValue, tag: Tag) {
        self.value = value
        self.tag = tag
    }
}
