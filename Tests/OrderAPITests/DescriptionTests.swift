import Foundation
import HTTPFieldValues
import HTTPTypes
import OrderStorage
import Testing

@testable import OrderAPI

/// The description of the API (OpenAPI).
@Suite struct DescriptionTests {
    /// An operation, such as `get /orders`.
    private struct DescribedOperation {
        let name: String
        let object: [String: Any]

        var statuses: Set<String> { Set((object["responses"] as? [String: Any] ?? [:]).keys) }

        /// The names of parameters, or their references.
        var parameters: Set<String> {
            let parameters = object["parameters"] as? [[String: Any]] ?? []
            return Set(parameters.compactMap { ($0["name"] ?? $0["$ref"]) as? String })
        }
    }

    /// Returns the operations that use the store.
    private func operations() async throws -> [DescribedOperation] {
        let description = try await OrderAPIFixture().send(.get, "openapi.json")
        let paths = try #require(description["paths"] as? [String: Any])
        return paths.filter { $0.key != "/openapi.json" }.flatMap { path, methods in
            (methods as? [String: Any] ?? [:]).map { method, object in
                DescribedOperation(name: "\(method) \(path)", object: object as? [String: Any] ?? [:])
            }
        }
    }

    @Test func `Each operation describes the statuses after which a client repeats its request`() async throws {
        let operations = try await operations()

        #expect(operations.count > 30)
        for operation in operations {
            for problem in [APIProblem.unavailable, .diskFull] {
                #expect(operation.statuses.contains("\(problem.status.code)"), "\(operation.name)")
            }
        }
    }

    @Test func `A command has the parameter that names its author`() async throws {
        let commands = try await operations().filter { $0.parameters.contains("Idempotency-Key") }

        #expect(commands.count > 10)
        for command in commands { #expect(command.parameters.contains("#/components/parameters/Author"), "\(command.name)") }
    }

    /// Returns the patterns of a parameter of all operations.
    private func patterns(of parameter: String) async throws -> [Regex<AnyRegexOutput>] {
        try await operations().flatMap { $0.object["parameters"] as? [[String: Any]] ?? [] }
            .filter { $0["name"] as? String == parameter }
            .map { try Regex(try #require(($0["schema"] as? [String: Any])?["pattern"] as? String)) }
    }

    @Test func `The versions of orders after a restore match the patterns of If-Match`() async throws {
        let patterns = try await patterns(of: "If-Match")

        #expect(patterns.count == 7)
        for pattern in patterns {
            for version in [#""0.1""#, #""1795792371.5""#] { #expect(version.wholeMatch(of: pattern) != nil) }
        }
    }

    @Test func `Each key of a command can be the key of a verdict`() async throws {
        let keys = ["k", "orders:7", "a/b+c", String(repeating: "~", count: IdempotencyKeyField.lengthLimit)]
        let patterns = try await patterns(of: "Idempotency-Key") + patterns(of: "key")

        #expect(patterns.count > 10)
        for pattern in patterns {
            for key in keys { #expect(key.wholeMatch(of: pattern) != nil) }
            #expect("ü".wholeMatch(of: pattern) == nil)
        }
    }

    /// Returns the schemas of the texts of an order by their names.
    private func textSchemas() async throws -> [String: [String: Any]] {
        let description = try await OrderAPIFixture().send(.get, "openapi.json")
        let schemas = try #require((description["components"] as? [String: Any])?["schemas"] as? [String: Any])
        func properties(of schema: Any?) -> [String: [String: Any]] {
            (schema as? [String: Any])?["properties"] as? [String: [String: Any]] ?? [:]
        }
        let content = properties(of: schemas["OrderContent"])
        return content.merging(properties(of: content["destination"])) { first, _ in first }
            .merging(properties(of: schemas["Item"])) { first, _ in first }
    }

    @Test func `The limits of texts are those of orders`() async throws {
        let fields = try await textSchemas()

        for name in ["title", "note", "deliveryTime", "address", "radiusUnit"] {
            #expect(fields[name]?["maxLength"] as? Int == OrderContentRules.textLimit, "\(name)")
        }
        for name in ["quantity", "unit"] { #expect(fields[name]?["maxLength"] as? Int == OrderContentRules.itemTextLimit, "\(name)") }
        #expect(fields["externalId"]?["maxLength"] as? Int == OrderContentRules.externalIDLimit)
        for name in ["title", "address"] {
            let pattern = try Regex(try #require(fields[name]?["pattern"] as? String))
            for text in ["Суп", "東京都千代田区", "🍕", "a"] { #expect(text.firstMatch(of: pattern) != nil) }
            #expect(" ".firstMatch(of: pattern) == nil)
        }
    }

    /// Returns the body of an order with a text.
    private static func order(_ name: String, _ text: String) throws -> String {
        var order: [String: Any] = ["title": "a", "price": "1", "currency": "EUR"]
        var destination = ["address": "a"]
        var item: [String: Any] = ["id": 1, "quantity": "1", "unit": "g"]
        switch name {
        case "address", "radiusUnit": destination[name] = text
        case "quantity", "unit": item[name] = text
        default: order[name] = text
        }
        (order["destination"], order["items"]) = (destination, [item])
        return String(decoding: try JSONSerialization.data(withJSONObject: order), as: UTF8.self)
    }

    @Test(arguments: ["title", "note", "deliveryTime", "externalId", "address", "radiusUnit", "quantity", "unit"])
    func `A text has as many bytes as the description says, and no U+0000`(name: String) async throws {
        let fixture = try await OrderAPIFixture()
        let schema = try #require(try await textSchemas()[name])
        let limit = try #require(schema["maxLength"] as? Int)
        let pattern = try Regex(try #require(schema["pattern"] as? String))
        let text = String(repeating: "ä", count: limit / 2)

        #expect((schema["description"] as? String)?.localizedCaseInsensitiveContains("at most \(limit) bytes in UTF-8") == true)
        for (text, status) in [(text, 201), (text + "a", 400), ("a\0", 400)] {
            let response = try await fixture.send(.post, "orders", as: OrderAPIFixture.ada, body: try Self.order(name, text))
            #expect(response.status == status)
        }
        #expect(text.firstMatch(of: pattern) != nil && "a\0".firstMatch(of: pattern) == nil && "\0a".firstMatch(of: pattern) == nil)
    }

    @Test func `The largest id of an item is that of orders`() async throws {
        let (fixture, largest) = (try await OrderAPIFixture(), OrderContentRules.itemIDRange.upperBound)

        #expect(try await textSchemas()["id"]?["maximum"] as? Int == largest)
        for (id, status) in [(largest, 201), (largest + 1, 400)] {
            let body = OrderAPIFixture.breakfast.replacing(#""id":3"#, with: #""id":\#(id)"#)
            #expect(try await fixture.send(.post, "orders", as: OrderAPIFixture.ada, body: body).status == status)
        }
    }
}
