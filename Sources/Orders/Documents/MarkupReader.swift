import Foundation

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// Reads small XML documents of a server that is not trusted into elements.
///
/// Size and depth are bounded, document types are refused before anything is parsed, and a document that was cut off is an error although
/// Foundation's parser says that it succeeded.
struct MarkupReader {
    var sizeLimit = 1_000_000
    var depthLimit = 64

    func read(_ document: [UInt8], root expected: String) throws(OrderDocumentError) -> MarkupElement {
        guard document.count <= sizeLimit else { throw .tooLong(limit: sizeLimit) }
        let scan = MarkupScan(document)
        guard scan.beginsAsMarkup else { throw .malformed("it does not begin with an element") }
        if let encoding = scan.foreignEncoding { throw .encoding(encoding) }
        guard !scan.declaresDocumentType else { throw .documentType }
        let root = try parse(document)
        guard root.name == expected else { throw .unexpectedRoot(root.name, expected: expected) }
        return root
    }

    private func parse(_ document: [UInt8]) throws(OrderDocumentError) -> MarkupElement {
        let builder = MarkupBuilder(depthLimit: depthLimit)
        let parser = XMLParser(data: Data(document))
        parser.delegate = builder
        let succeeded = parser.parse()
        if builder.isTooDeep { throw .tooDeep(limit: depthLimit) }
        if let error = parser.parserError ?? builder.error {
            throw .malformed("line \(max(1, parser.lineNumber)), \(Self.reason(of: error))")
        }
        guard succeeded, let root = builder.root else { throw .malformed("the document is empty or ends too soon") }
        return root
    }

    /// Foundation gives libxml2's error code and no words.
    private static func reason(of error: any Error) -> String {
        switch (error as NSError).code {
        case 4, 5, 77: "it ends too soon"
        case 76: "tags do not match"
        case 9, 81: "it has bytes that are no text"
        case 26: "it uses an entity that is not declared"
        case let code: "error \(code)"
        }
    }
}

/// Builds elements from the parser's events.
private final class MarkupBuilder: NSObject, XMLParserDelegate {
    private let depthLimit: Int
    private var open: [MarkupElement] = []
    private(set) var root: MarkupElement?
    private(set) var isTooDeep = false
    private(set) var error: (any Error)?

    init(depthLimit: Int) {
        self.depthLimit = depthLimit
    }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        guard open.count < depthLimit else {
            isTooDeep = true
            return parser.abortParsing()
        }
        open.append(MarkupElement(name: name))
    }

    func parser(_ parser: XMLParser, foundCharacters text: String) {
        guard !open.isEmpty else { return }
        open[open.count - 1].text += text
    }

    func parser(_ parser: XMLParser, foundCDATA block: Data) {
        self.parser(parser, foundCharacters: String(decoding: block, as: UTF8.self))
    }

    func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
        guard let element = open.popLast() else { return }
        if open.isEmpty { root = element } else { open[open.count - 1].children.append(element) }
    }

    func parser(_ parser: XMLParser, parseErrorOccurred error: any Error) {
        if self.error == nil { self.error = error }
    }
}
