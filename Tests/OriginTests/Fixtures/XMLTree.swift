import Foundation

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// An element of a document, parsed independently of the server.
struct XMLTree: Equatable {
    var name: String
    var text = ""
    var children: [XMLTree] = []

    subscript(name: String) -> XMLTree? {
        children.first { $0.name == name }
    }

    /// Parses a document; nil unless it is well-formed.
    static func parse(_ text: String) -> XMLTree? {
        let reader = Reader()
        let parser = XMLParser(data: Data(text.utf8))
        parser.delegate = reader
        guard parser.parse(), parser.parserError == nil else { return nil }
        return reader.root
    }
}

extension XMLTree {
    private final class Reader: NSObject, XMLParserDelegate {
        private(set) var root: XMLTree?
        private var open: [XMLTree] = []

        func parser(
            _ parser: XMLParser,
            didStartElement name: String,
            namespaceURI: String?,
            qualifiedName: String?,
            attributes: [String: String]
        ) {
            open.append(XMLTree(name: name))
        }

        func parser(_ parser: XMLParser, foundCharacters text: String) {
            open[open.count - 1].text += text
        }

        func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
            let element = open.removeLast()
            if open.isEmpty {
                root = element
            } else {
                open[open.count - 1].children.append(element)
            }
        }
    }
}
