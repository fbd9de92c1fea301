import Foundation
import LadingTesting
import Testing

@testable import Orders

/// Randomly corrupted documents: reading gives a value or an error with a reason, never a crash or a hang.
@Suite(.timeLimit(.minutes(10))) struct MutationTests {
    private static let rounds = 4_000

    private static let orders: [[UInt8]] = [
        Documents.order(title: "Früchte &amp; <![CDATA[<Fisch>]]><!-- x -->"),
        Array((Documents.orderText(title: "Åsa").data(using: .utf16) ?? Data())),
        Array(("<?xml version='1.0' encoding='ISO-8859-1'?>" + Documents.orderText(title: "Åsa")).data(using: .isoLatin1) ?? Data()),
    ]

    private static let lists: [[UInt8]] = [
        Documents.list(["1": "http://a.org/1", "02": "ftp://a.org", "x": "&lt;", "4": "ä"]),
        Array(
            (try? PropertyListSerialization.data(
                fromPropertyList: ["1": "a", "2": "ä", "3": [1]] as [String: Any], format: .binary, options: 0)) ?? Data()),
        Array("// list\n{ 1 = \"http://a.org/\\U00e4\"; 2 = (a, {b = c;}); 'x' = y; /* end */ }".utf8),
    ]

    @Test func `Decoding a corrupted order returns an order or throws`() {
        var random = SeededRandom(for: "damaged orders")
        for _ in 0..<Self.rounds {
            let document = random.corrupted(Self.orders)
            #expect(isValueOrError { _ = try Order(id: 1, document: document) }, "\(document)")
        }
    }

    @Test func `Decoding a corrupted list returns a list or throws`() {
        var random = SeededRandom(for: "damaged lists")
        for _ in 0..<Self.rounds {
            let document = random.corrupted(Self.lists)
            #expect(isValueOrError { _ = try OrderReference.list(propertyList: document) }, "\(document)")
        }
    }

    @Test func `The rows of a corrupted list have unique ids`() {
        var random = SeededRandom(for: "rows of damaged lists")
        for _ in 0..<Self.rounds {
            guard let rows = try? OrderReference.list(propertyList: random.corrupted(Self.lists)) else { continue }
            #expect(Set(rows.map(\.id)).count == rows.count)
            #expect(rows.map(\.id) == rows.map(\.id).sorted())
        }
    }

    /// Invalid bytes and processing instructions are excluded: some of them crash Foundation's parser.
    @Test func `A corrupted document is read as by Foundation, or by neither`() {
        var random = SeededRandom(for: "documents read twice")
        var readable = 0
        for _ in 0..<Self.rounds {
            let document = random.corrupted([Self.orders[0], Array("<order a='1' b=\"&lt;\"><b/>c&#65;<d>e</d ></order>\n".utf8)])
            guard let text = String(validating: document, as: UTF8.self), !text.contains("<?") else { continue }
            let element = try? XMLReader().read(document, root: "order")
            let foundationElement = elementsReadByFoundation(document)
            readable += element == nil ? 0 : 1
            if foundationElement == nil || foundationElement?.name == "order" {
                #expect(element?.condensed == foundationElement?.condensed, "\(String(decoding: document, as: UTF8.self)) \(document)")
            }
        }
        #expect(readable > 0)
    }

    private func isValueOrError(_ read: () throws -> Void) -> Bool {
        do {
            try read()
            return true
        } catch {
            return error is OrderDocumentError
        }
    }
}

extension SeededRandom {
    /// Returns one of the documents with bytes flipped, removed, duplicated, or copied from another.
    fileprivate mutating func corrupted(_ documents: [[UInt8]]) -> [UInt8] {
        var document = documents.randomElement(using: &self) ?? []
        for _ in 0..<Int.random(in: 1...4, using: &self) where !document.isEmpty {
            let place = Int.random(in: 0..<document.count, using: &self)
            let end = min(document.count, place + Int.random(in: 1...20, using: &self))
            switch Int.random(in: 0..<6, using: &self) {
            case 0: document[place] ^= 1 << UInt8.random(in: 0..<8, using: &self)
            case 1: document[place] = "<>/&;!-[]?='\"{}()\0\n ".utf8.randomElement(using: &self) ?? 0
            case 2: document.removeSubrange(place..<end)
            case 3: document.insert(contentsOf: document[place..<end], at: Int.random(in: 0...document.count, using: &self))
            case 4: document.removeSubrange(place...)
            default: document.replaceSubrange(place..<end, with: (documents.randomElement(using: &self) ?? []).dropFirst(place).prefix(20))
            }
        }
        return document
    }
}
