/// An element of an XML document that has been read: its name, and the text and elements in it, in document order.
struct MarkupElement: Hashable {
    enum Node: Hashable {
        case text(String)
        case element(MarkupElement)
    }

    /// The namespace prefix, without its colon; empty where the name has none.
    let prefix: Substring
    /// The local name.
    let name: String
    var nodes: [Node] = []

    /// - Parameter qualifiedName: The name as it is written, such as `o:order`.
    init(_ qualifiedName: String) {
        let colon = qualifiedName.utf8.firstIndex(of: UInt8(ascii: ":")) ?? qualifiedName.endIndex
        let local = qualifiedName[colon...].dropFirst()
        prefix = local.isEmpty ? "" : qualifiedName[..<colon]
        name = local.isEmpty ? qualifiedName : String(local)
    }

    /// The elements that are directly in this one.
    var children: [MarkupElement] {
        nodes.compactMap { if case .element(let element) = $0 { element } else { nil } }
    }

    /// The text of this element and of all elements in it, so that inline markup keeps its words.
    var text: String {
        if nodes.count == 1, case .text(let text) = nodes[0] { return text }
        var text = ""
        appendText(to: &text)
        return text
    }

    private func appendText(to text: inout String) {
        for node in nodes {
            switch node {
            case .text(let segment): text += segment
            case .element(let element):
                let separator = Self.blocks.contains(element.name) ? "\n" : ""
                text += separator
                element.appendText(to: &text)
                text += separator
            }
        }
    }

    /// Names of elements whose text begins on a line of its own in HTML.
    private static let blocks: Set<String> = ["br", "p", "div", "li", "tr", "h1", "h2", "h3", "h4", "h5", "h6"]

    /// Returns the first child of this local name, preferably one with the prefix of this element.
    func child(_ name: String) throws(OrderDocumentError) -> MarkupElement {
        var other: MarkupElement?
        for case .element(let child) in nodes where child.name == name {
            if child.prefix == prefix { return child }
            other = other ?? child
        }
        guard let other else { throw .missing("\(self.name)/\(name)") }
        return other
    }

    /// Returns the text of a child, trimmed.
    func text(of name: String) throws(OrderDocumentError) -> String {
        try child(name).text.trimmed
    }
}

extension String {
    /// The text without white space at either end.
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
