/// A parser of small XML documents from untrusted servers.
///
/// Size, depth and entity expansion are bounded, and a document type with an external reference is refused.
struct XMLReader {
    var sizeLimit = 1_000_000
    var depthLimit = 64

    /// Returns the outermost element of a document.
    ///
    /// - Parameters:
    ///   - expected: The local name of the outermost element.
    ///   - charset: The encoding named by the response, for documents that declare none.
    func read(_ document: [UInt8], root expected: String, charset: String? = nil) throws(OrderDocumentError) -> ParsedElement {
        guard document.count <= sizeLimit else { throw .tooLong(limit: sizeLimit) }
        var tokens = try XMLTokenizer(document, charset: charset, depthLimit: depthLimit, retainsWhitespace: true)
        var open: [ParsedElement] = []
        var root = ParsedElement("")
        while true {
            switch try tokens.next() {
            case .start(let name):
                open.append(ParsedElement(name))
            case .text(let text):
                open[open.count - 1].nodes.append(.text(text))
            case .end:
                let element = open.removeLast()
                if open.isEmpty { root = element } else { open[open.count - 1].nodes.append(.element(element)) }
            case .finished:
                guard root.name == expected else { throw .unexpectedRoot(root.name, expected: expected) }
                return root
            }
        }
    }
}
