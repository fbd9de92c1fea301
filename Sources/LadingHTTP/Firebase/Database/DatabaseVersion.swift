/// A value of the database together with the entity tag that names its state.
public struct DatabaseVersion: Hashable, Sendable {
    /// Names the state of a value, for conditions; a value that is not there has one, too.
    public struct Tag: Hashable, Sendable {
        /// As the server wrote it.
        public let text: String

        public init(_ text: String) {
            self.text = text
        }

        /// That of a value which is not there.
        public static let missing = Tag("null_etag")
    }

    public let value: JSONValue
    public let tag: Tag

    public init(_ value: JSONValue, tag: Tag) {
        self.value = value
        self.tag = tag
    }
}
