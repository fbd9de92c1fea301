import Configuration
import Foundation
import LadingConfiguration
import LadingHTTP
import Testing

@Suite struct BackendConfigurationErrorTests {
    private static let sentences: [(variable: String, value: String, sentence: String)] = [
        ("ORDERS_BASE_URL", "ftp://a.org", "orders.baseURL: “ftp://a.org” is not a valid base URL: the URL must be an http or https URL"),
        ("ORDERS_BASE_URL", "https://", "orders.baseURL: “https://” is not a valid base URL: the URL has no host"),
        (
            "ORDERS_BASE_URL", "https://a.org?key=abcdefgh",
            "orders.baseURL: “https://a.org?key=REDACTED” is not a valid base URL: remove its query and fragment"
        ),
        ("ORDERS_TIME_LIMIT", "soon", "orders.timeLimit: the value is not a number"),
        ("ORDERS_TIME_LIMIT", "-1", "orders.timeLimit: -1 is less than 0.001"),
        ("ORDERS_TIME_LIMIT", "86401", "orders.timeLimit: 86401 is more than 86400"),
        ("ORDERS_TIME_LIMIT", "nan", "orders.timeLimit: the value is not a number"),
        ("ORDERS_BODY_LIMIT", "1.5", "orders.bodyLimit: the value is not a whole number"),
        ("ORDERS_BODY_LIMIT", "-1", "orders.bodyLimit: -1 is less than 0"),
        ("ORDERS_REDIRECT_LIMIT", "101", "orders.redirectLimit: 101 is more than 100"),
        (
            "ORDERS_HEADERS", "Accept: text/plain,secret",
            "orders.headers: element 2 is not a header field, such as “Accept: text/plain”"
        ),
    ]

    private func failure(_ provider: any ConfigProvider) async -> BackendConfigurationError? {
        await #expect(throws: BackendConfigurationError.self) {
            _ = try await BackendEnvironment("orders", from: ConfigReader(provider: provider))
        }
    }

    @Test(arguments: sentences) func `Both descriptions of an error are one sentence with the key`(
        variable: String, value: String, sentence: String
    ) async throws {
        let variables = ["ORDERS_BASE_URL": "https://a.org"].merging([variable: value]) { $1 }

        let error = try #require(await failure(EnvironmentVariablesProvider(environmentVariables: variables)))

        #expect("\(error)" == sentence)
        #expect(error.localizedDescription == sentence)
    }

    @Test func `A value of another type is described by the type that is expected`() async {
        let numbers = InMemoryProvider(values: ["orders.baseURL": 5])
        let texts = InMemoryProvider(values: ["orders.baseURL": "https://a.org", "orders.headers": "Accept: text/plain"])

        await #expect(failure(numbers).map { "\($0)" } == "orders.baseURL: the value is not text")
        await #expect(failure(texts).map { "\($0)" } == "orders.headers: the value is not a list of texts")
    }
}
