/// A parsed XML element: its name, and its text and child elements in document order.
struct ParsedElement: Hashable {
    enum Node: Hashable {
        case text(String)
        case element(ParsedElement)
    }

    /// The namespace prefix without its colon; empty when the name has none.
    let prefix: Substring
    /// The local name.
    let name: String
    var nodes: [Node] = []

    /// - Parameter qualifiedName: The name as written, such as `o:order`.
    init(_ qualifiedName: String) {
        let colon = qualifiedName.utf8.firstIndex(of: UInt8(ascii: ":")) ?? qualifiedName.endIndex
        let local = qualifiedName[colon...].dropFirst()
        prefix = local.isEmpty ? "" : qualifiedName[..<colon]
        name = local.isEmpty ? qualifiedName : String(local)
    }

    /// The direct child elements.
    var children: [ParsedElement] {
        nodes.compactMap { if case .element(let element) = $0 { element } else { nil } }
    }

    /// The text of this element and all its descendants, so that inline markup preserves its words.
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

    /// The names of HTML elements whose text begins on a new line.
    private static let blocks: Set<String> = ["br", "p", "div", "li", "tr", "h1", "h2", "h3", "h4", "h5", "h6"]

    /// Returns the first child with a local name, preferably one with the prefix of this element.
    func child(_ name: String) throws(OrderDocumentError) -> ParsedElement {
        var other: ParsedElement?
        for case .element(let child) in nodes where child.name == name {
            if child.prefix == prefix { return child }
            other = other ?? child
        }
        guard let other else { throw .missing("\(self.name)/\(name)") }
        return other
    }

    /// Returns the trimmed text of a child.
    func text(of name: String) throws(OrderDocumentError) -> String {
        try child(name).text.trimmed
    }
}

extension String {
    /// The text without leading and trailing white space.
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
