/// An element of an XML document that has been read: its name, its own text, and the elements in it.
struct MarkupElement: Hashable {
    var name: String
    var text = ""
    var children: [MarkupElement] = []

    /// The first child of this name.
    func child(_ name: String) throws(OrderDocumentError) -> MarkupElement {
        for child in children where child.name == name { return child }
        throw .missing("\(self.name)/\(name)")
    }

    /// The text of a child, trimmed.
    func text(of name: String) throws(OrderDocumentError) -> String {
        try child(name).text.trimmed
    }
}

extension String {
    /// Without white space at either end.
    var trimmed: String {
        if let first = utf8.first, let last = utf8.last, first.isVisibleASCII, last.isVisibleASCII { return self }
        guard let first = firstIndex(where: { !$0.isWhitespace }) else { return "" }
        guard let last = lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(self[first...last])
    }
}

extension UInt8 {
    fileprivate var isVisibleASCII: Bool { self > 0x20 && self < 0x7F }
}
