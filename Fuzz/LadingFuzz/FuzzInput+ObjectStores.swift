import Foundation

@testable import ObjectStorage

extension FuzzInput {
    /// Parses the address of an object store from the first line, a key from the second one, and the error of a store from the rest.
    func parseObjectStore() {
        if let address = try? ObjectStoreAddress(lines[0]) {
            precondition(address.listURL.hostField == address.host, "requests are sent to the host of the address")
            if lines.count > 1, let key = try? ObjectKey(lines[1], in: address) {
                let path = address.url(ofKey: key).path(percentEncoded: false)
                precondition(path.hasSuffix("/" + key.text), "a key is the end of a path")
            }
        }
        let document = ErrorDocument(Array(lines.dropFirst(2).joined(separator: "\n").utf8))
        let texts = [document?.code, document?.message, document?.region, document?.endpoint].compactMap { $0 }
        for text in texts {
            precondition(text.count <= ErrorDocument.textLimit + 1, "a text is cut")
            precondition(text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }, "a text is one line")
        }
    }
}
