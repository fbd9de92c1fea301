/// An element of an XML document that has been read: its name, its own text, and the elements in it.
struct MarkupElement {
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

    /// The number that a child holds, in the notation of programs: `-1.5`.
    func number<Number: LosslessStringConvertible>(
        _ name: String, as type: Number.Type = Number.self
    ) throws(OrderDocumentError) -> Number {
        let text = try text(of: name)
        guard let number = Number(text) else { throw .notANumber("\(self.name)/\(name)", text: text) }
        return number
    }
}

extension String {
    /// Without white space at either end.
    var trimmed: String {
        guard let first = firstIndex(where: { !$0.isWhitespace }) else { return "" }
        guard let last = lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(self[first...last])
    }
}
