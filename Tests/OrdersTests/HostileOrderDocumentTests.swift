import Foundation
import Orders
import Testing

/// Documents that are meant to harm a reader, or are no orders at all.
@Suite struct HostileOrderDocumentTests {
    @Test(arguments: [String.Encoding.utf8, .utf16, .utf16BigEndian])
    func `A document type is refused before anything is parsed`(encoding: String.Encoding) throws {
        let bomb = (0..<12).map { "<!ENTITY e\($0 + 1) \"\(String(repeating: "&e\($0);", count: 10))\">" }.joined()
        let text = "<!DocType order [<!ENTITY e0 \"x\">\(bomb)]><order><title>&e12;</title></order>"

        #expect(throws: OrderDocumentError.unsupportedDocumentType) {
            try Order(id: 1, document: Array(try #require(text.data(using: encoding))))
        }
    }

    @Test func `Even a document type without entities is refused`() {
        let text = "<!DOCTYPE order SYSTEM \"file:///etc/passwd\">" + Documents.orderText()

        #expect(throws: OrderDocumentError.unsupportedDocumentType) { try Order(id: 1, document: Array(text.utf8)) }
    }

    @Test func `An encoding that could hide a document type is refused`() {
        let text = "<?xml version=\"1.0\" encoding='UTF-7'?>" + Documents.orderText()

        #expect(throws: OrderDocumentError.unsupportedEncoding("UTF-7")) { try Order(id: 1, document: Array(text.utf8)) }
    }

    @Test func `A document in EBCDIC is refused before it is parsed`() {
        let ebcdic: [UInt8] = [0x4C, 0x6F, 0xA7, 0x94, 0x93, 0x40, 0xA5, 0x85, 0x99]

        #expect(throws: OrderDocumentError.self) { try Order(id: 1, document: ebcdic + Documents.order()) }
    }

    @Test func `An undeclared entity is an error`() {
        #expect(throws: OrderDocumentError.self) { try Order(id: 1, document: Documents.order(title: "a&ext;b")) }
    }

    @Test func `A hundred thousand levels of nesting are refused at the sixty-fourth`() {
        let deep = String(repeating: "<a>", count: 100_000)

        #expect(throws: OrderDocumentError.tooManyLevels(limit: 64)) {
            try Order(id: 1, document: Array("<order>\(deep)".utf8))
        }
    }

    @Test(.timeLimit(.minutes(10))) func `A document of 50 MB is refused before it is parsed`() {
        #expect(throws: OrderDocumentError.tooLong(limit: 1_000_000)) {
            try Order(id: 1, document: Array(repeating: UInt8(ascii: "<"), count: 50 << 20))
        }
    }

    @Test func `A document that is too long is refused`() {
        #expect(throws: OrderDocumentError.tooLong(limit: 1_000_000)) {
            try Order(id: 1, document: Array(repeating: 0x20, count: 1_000_001))
        }
    }

    @Test(arguments: ["", "   ", "not xml", "<html></html>", "<order/>", "<order></order><order></order>", "\u{0}\u{0}"])
    func `A document that is not an order is an error`(text: String) {
        #expect(throws: OrderDocumentError.self) { try Order(id: 1, document: Array(text.utf8)) }
    }
}
