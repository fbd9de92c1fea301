import Foundation
import HTTPTypes
import LadingHTTP
import LadingTesting
import Testing

@Suite struct ResponseDecoderTests {
    private struct Order: Codable, Equatable, Sendable {
        var id: Int
        var items: [Item]
    }

    private struct Item: Codable, Equatable, Sendable {
        var title: String
        var price: Double
    }

    private let url = URL(string: "http://example.org/order")!
    private let order = Order(id: 7, items: [Item(title: "Tea", price: 2.5)])

    private func value<Value>(of body: [UInt8], _ decoder: ResponseDecoder<Value>) async throws -> Value {
        let executor = ScriptedExecutor()
        executor.script(url.absoluteString, .response(body: body))
        return try await BackendClient(executor: executor).value(of: BackendRequest(RequestMessage(url: url), decoding: decoder))
    }

    @Test func `JSON and property lists are decoded`() async throws {
        #expect(try await value(of: Array(JSONEncoder().encode(order)), .json()) == order)
        for format in [PropertyListSerialization.PropertyListFormat.xml, .binary] {
            let encoder = PropertyListEncoder()
            encoder.outputFormat = format
            #expect(try await value(of: Array(encoder.encode(order)), .propertyList()) == order)
        }
    }

    @Test func `A custom decoder receives the body`() async throws {
        let decoder = ResponseDecoder.document { data in String(decoding: data.reversed(), as: UTF8.self) }

        #expect(try await value(of: Array("abc".utf8), decoder) == "cba")
        #expect(try await value(of: Array("abc".utf8), .text) == "abc")
        try await value(of: Array("abc".utf8), .ignoringBody)
    }

    @Test(arguments: [
        (#"{"id": 7}"#, "items is missing"),
        (#"{"id": 7, "items": [{"title": "Tea", "price": 1}, {"title": "Tea"}]}"#, "items[1].price is missing"),
        (#"{"id": 7, "items": [{"title": 5, "price": 1}]}"#, "items[0].title is not a string"),
        (#"{"id": null, "items": []}"#, "id is null instead of a number"), (#"[]"#, "the document is not an object"),
    ])
    func `A decoding error names the coding path`(json: String, text: String) async throws {
        let error = await #expect(throws: BackendError.self) { try await value(of: Array(json.utf8), .json(Order.self)) }

        guard case .decodingFailed(url, let cause as ResponseDecodingError)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect("\(cause)" == text)
    }

    @Test(arguments: ["", "{", "<html>", "{\"id\": 7,"]) func `Invalid JSON is reported without a path`(text: String) async {
        await #expect { try await value(of: Array(text.utf8), .json(Order.self)) } throws: { error in
            if case BackendError.decodingFailed(_, let cause as ResponseDecodingError) = error {
                cause.path.isEmpty && !cause.reason.isEmpty
            } else {
                false
            }
        }
    }
}
