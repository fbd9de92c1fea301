import Foundation
import HTTPTypes
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
}
