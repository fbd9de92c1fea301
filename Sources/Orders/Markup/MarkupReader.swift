/// Reads small XML documents of a server that is not trusted into elements.
///
/// Size and depth are bounded, and a document type is refused where it is declared, before anything that it defines could be used.
struct MarkupReader {
    var sizeLimit = 1_000_000
    var depthLimit = 64

    func read(_ document: [UInt8], root expected: String) throws(OrderDocumentError) -> MarkupElement {
        guard document.count <= sizeLimit else { throw .tooLong(limit: sizeLimit) }
        var tokens = try MarkupTokenizer(document, depthLimit: depthLimit)
        var open: [MarkupElement] = []
        var root = MarkupElement(name: "")
        while true {
            switch try tokens.next() {
            case .start(let name):
                open.append(MarkupElement(name: name))
            case .text(let text):
                open[open.count - 1].text += text
            case .end:
                let element = open.removeLast()
                if open.isEmpty { root = element } else { open[open.count - 1].children.append(element) }
            case .finished:
                guard root.name == expected else { throw .unexpectedRoot(root.name, expected: expected) }
                return root
            }
        }
    }
}
