/// A text as a key, which equals another only if their bytes are equal, as in databases, in files and for servers.
///
/// Swift also regards texts as equal that Unicode regards as equivalent: `é` as one scalar and as two, or `K` and the Kelvin sign.
package struct BytewiseText: Hashable, Sendable {
    package let text: String

    package init(_ text: String) {
        self.text = text
    }

    package static func == (one: BytewiseText, other: BytewiseText) -> Bool { one.text.hasSameBytes(as: other.text) }
}

extension StringProtocol {
    /// Returns whether the bytes of two texts are equal.
    package func hasSameBytes(as other: some StringProtocol) -> Bool { utf8.elementsEqual(other.utf8) }
}
