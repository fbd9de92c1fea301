import LadingNIO
import ObjectStorage
import OrderStorage

/// The bytes of proofs in an object store.
struct ObjectStoreProofs: ProofContentStore {
    private let store: ObjectStore
    private let executor: AsyncHTTPClientExecutor

    /// - Throws: `ObjectStoreError` if the bucket cannot be used.
    init(_ address: ObjectStoreAddress, environment: [String: String]) async throws {
        let credentials = try ObjectStoreCredentials(environment: environment)
        executor = AsyncHTTPClientExecutor(connectionsPerHost: ObjectStoreLimits().concurrentRequests)
        store = ObjectStore(address, credentials: credentials, executor: executor)
        do { try await store.check() } catch {
            try? await executor.shutdown()
            throw error
        }
    }

    func store(_ bytes: [UInt8], as key: String, mediaType: String) async throws {
        try await store.put(bytes, as: key, contentType: mediaType)
    }

    func content(of key: String, limit: Int) async throws -> [UInt8]? {
        do { return try await store.get(key, limit: limit) } catch ObjectStoreError.tooLarge where limit < .max {
            throw ProofContentError.damaged
        }
    }

    func delete(_ key: String) async throws { try await store.delete(key) }

    func shutDown() async { try? await executor.shutdown() }
}

extension ObjectStoreError: UnavailableStoreError {
    package var isUnavailable: Bool {
        switch self {
        case .unreachable, .interrupted, .timedOut, .paused, .invalidResponse, .redirected, .wrongRegion: true
        case .refused(let rejection): !rejection.isStoreFull
        case .invalidAddress, .missingCredentials, .invalidCredentials, .invalidKey, .tooLarge: false
        }
    }

    package var isDiskFull: Bool {
        if case .refused(let rejection) = self { rejection.isStoreFull } else { false }
    }
}
