import Foundation
import HTTPTypes
import LadingHTTP
import LadingOperations

// block 1

// block 2

// block 3

// block 4

// block 5

// block 6

// block 7

@MainActor func open(_ executor: any BackendExecutor) async throws -> Int {
    let backend = try BackendEnvironment(baseURL: "https://api.example.org/v2")
    let client = signedIn(backend, executor: executor) { _ in "token" }
    return try await client.value(of: DeliveryBackend(environment: backend).page(0)).count
}
