/// A store of the bytes of proofs, apart from the database of the orders.
package protocol ProofContentStore: Sendable {
    /// Stores bytes under a new key.
    func store(_ bytes: [UInt8], as key: String, mediaType: String) async throws

    /// Returns stored bytes; nil if there are none.
    ///
    /// - Parameter limit: The maximum number of bytes.
    func content(of key: String, limit: Int) async throws -> [UInt8]?

    /// Deletes bytes, if they are stored.
    func delete(_ key: String) async throws
}

/// The bytes of a proof cannot be read.
package enum ProofContentError: Error, Hashable {
    /// They are in a store that this program was not given.
    case noStore
    /// The store does not have them.
    case missing
    /// The store has others.
    case damaged
}

extension ProofContentError: UnavailableStoreError, CustomStringConvertible {
    package var isUnavailable: Bool { true }
    package var isDiskFull: Bool { false }

    package var description: String {
        switch self {
        case .noStore: "the proof is in an object store: start this server with the --blobs of the others"
        case .missing: "the object store does not have the proof"
        case .damaged: "the object store has other bytes in place of the proof"
        }
    }
}
