import OrderStorage
import Synchronization

/// The bytes of proofs in memory.
final class MemoryContents: ProofContentStore {
    private let objects = Mutex<[String: [UInt8]]>([:])

    var bytes: [String: [UInt8]] { objects.withLock { $0 } }

    /// Replaces the bytes of all objects.
    func replaceAll(with bytes: [UInt8]) { objects.withLock { objects in objects = objects.mapValues { _ in bytes } } }

    func deleteAll() { objects.withLock { $0 = [:] } }

    func store(_ bytes: [UInt8], as key: String, mediaType: String) throws {
        objects.withLock { $0[key] = bytes }
        if let storageError { throw storageError }
    }

    func content(of key: String, limit: Int) -> [UInt8]? { objects.withLock { $0[key] } }

    /// The error of deleting an object; nil if it is deleted.
    private let deletionError: @Sendable (_ key: String) async -> (any Error)?

    /// The error after an object was stored; nil if there is none.
    private let storageError: (any Error)?

    init(
        storageError: (any Error)? = nil, deletionError: @escaping @Sendable (_ key: String) async -> (any Error)? = { _ in nil }
    ) {
        self.storageError = storageError
        self.deletionError = deletionError
    }

    func delete(_ key: String) async throws {
        if let error = await deletionError(key) { throw error }
        objects.withLock { $0[key] = nil }
    }
}
