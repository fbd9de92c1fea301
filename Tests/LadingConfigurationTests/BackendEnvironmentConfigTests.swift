import Configuration
import Foundation
import HTTPTypes
import LadingConfiguration
import LadingHTTP
import Testing

@Suite struct BackendEnvironmentConfigTests {
    private func environment(_ variables: [String: String]) async throws -> BackendEnvironment {
        let provider = EnvironmentVariablesProvider(environmentVariables: variables)
        return try await BackendEnvironment("orders", from: ConfigReader(provider: provider))
    }

    @Test func `Environment variables configure an environment`() async throws {
        let backend = try await environment([
            "ORDERS_BASE_URL": "https://example.org/v2/", "ORDERS_HEADERS": "Accept: text/plain,X-Key: a:b", "ORDERS_TIME_LIMIT": "2.5",
            "ORDERS_BODY_LIMIT": "1000", "ORDERS_REDIRECT_LIMIT": "0",
        ])

        #expect(backend.url("list").absoluteString == "https://example.org/v2/list")
        #expect(backend.headers == [.accept: "text/plain", HTTPField.Name("X-Key")!: "a:b"])
        #expect(backend.limits == ResponseLimits(bodySize: 1000, redirects: 0, time: .milliseconds(2500)))
    }

    @Test func `Missing keys have the default values`() async throws {
        let backend = try await environment(["ORDERS_BASE_URL": "http://localhost:8080"])

        #expect(backend.headers == [:])
        #expect(backend.limits == ResponseLimits())
    }

    @Test func `A JSON file configures an environment`() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "lading-config-\(UUID().uuidString).json")
        try Data(#"{"orders": {"baseURL": "https://example.org", "timeLimit": 5, "headers": ["Accept: a, b"]}}"#.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }

        let location = InMemoryProvider(values: ["filePath": .init(stringLiteral: file.path(percentEncoded: false))])
        let provider = try await FileProvider<JSONSnapshot>(config: ConfigReader(provider: location))
        let backend = try await BackendEnvironment("orders", from: ConfigReader(provider: provider))

        #expect(backend.baseURL.absoluteString == "https://example.org")
        #expect(backend.headers[.accept] == "a, b")
        #expect(backend.limits.time == .seconds(5))
    }

    @Test(arguments: [
        ("ORDERS_BASE_URL", "ftp://example.org", "orders.baseURL"), ("ORDERS_BASE_URL", "nowhere", "orders.baseURL"),
        ("ORDERS_TIME_LIMIT", "soon", "orders.timeLimit"), ("ORDERS_TIME_LIMIT", "-1", "orders.timeLimit"),
        ("ORDERS_BODY_LIMIT", "1.5", "orders.bodyLimit"), ("ORDERS_REDIRECT_LIMIT", "1000", "orders.redirectLimit"),
        ("ORDERS_HEADERS", "no field", "orders.headers"), ("ORDERS_HEADERS", "B\u{e4}d: x", "orders.headers"),
    ])
    func `The error for a malformed value names its key`(variable: String, value: String, key: String) async {
        await #expect {
            try await environment(["ORDERS_BASE_URL": "http://a.org"].merging([variable: value]) { $1 })
        } throws: { error in
            (error as? BackendConfigurationError)?.key == key
        }
    }

    @Test func `A missing base URL is reported, and the text of a header field is not`() async {
        await #expect { try await environment([:]) } throws: { error in
            "\(error)" == "orders.baseURL: a value is required"
        }
        await #expect {
            try await environment(["ORDERS_BASE_URL": "http://a.org", "ORDERS_HEADERS": "secret"])
        } throws: { error in
            !"\(error)".contains("secret")
        }
    }
}
