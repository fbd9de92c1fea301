/// The name of an uploaded file, safe as a URL path segment and as a file name on every file system.
struct UploadName: Hashable, Sendable {
    /// The maximum number of characters, each of which is one byte.
    static let limit = 128

    let text: String

    /// Parses a name; nil unless it consists of ASCII letters, digits, `-`, `_` and `.`, and does not begin with a dot.
    init?(_ text: some StringProtocol) {
        let isSafe = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
                true
            default: false
            }
        }
        guard isSafe, !text.isEmpty, text.utf8.count <= Self.limit, text.first != "." else { return nil }
        self.text = String(text)
    }
}
