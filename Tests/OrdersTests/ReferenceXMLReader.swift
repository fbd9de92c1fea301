import Foundation

@testable import Orders

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// Returns the elements of a document as read by Foundation's XML parser; nil when it reports any error.
func elementsReadByFoundation(_ document: [UInt8]) -> ParsedElement? {
    let builder = ElementBuilder()
    let parser = XMLParser(data: Data(document))
    parser.delegate = builder
    guard parser.parse(), parser.parserError == nil, !builder.hasFailed else { return nil }
    return builder.root
}

private final class ElementBuilder: NSObject, XMLParserDelegate {
    private var open: [ParsedElement] = []
    private(set) var root: ParsedElement?
    private(set) var hasFailed = false

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?, attributes: [String: String]
    ) {
        open.append(ParsedElement(name))
    }

    func parser(_ parser: XMLParser, foundCharacters text: String) {
        guard !open.isEmpty else { return }
        open[open.count - 1].nodes.append(.text(text))
    }

    func parser(_ parser: XMLParser, foundCDATA block: Data) {
        self.parser(parser, foundCharacters: String(decoding: block, as: UTF8.self))
    }

    func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
        guard let element = open.popLast() else { return }
        if open.isEmpty { root = element } else { open[open.count - 1].nodes.append(.element(element)) }
    }

    func parser(_ parser: XMLParser, parseErrorOccurred error: any Error) {
        hasFailed = true
    }
}

extension ParsedElement {
    /// The names and texts of this element and its descendants without white space, which the two parsers split differently.
    var condensed: String {
        let content = nodes.map { node in
            switch node {
            case .text(let text): String(text.unicodeScalars.filter { !$0.properties.isWhitespace })
            case .element(let element): element.condensed
            }
        }
        return "<\(name)>\(content.joined())</>"
    }
}
