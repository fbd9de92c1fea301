import ArgumentParser
import Foundation
import ObjectStorage

/// The store of the bytes of proofs.
struct BlobOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            The S3-compatible object store of photos and other proofs, such as s3://bucket/prefix?endpoint=https://s3.example.org, instead of \
            the shared database. The credentials are in $AWS_ACCESS_KEY_ID and $AWS_SECRET_ACCESS_KEY.
            """, valueName: "url"))
    var blobs: String?

    func validate() throws {
        guard let blobs else { return }
        do { _ = try ObjectStoreAddress(blobs) } catch { throw ValidationError("--blobs: \(error.description).") }
    }

    /// Checks that there is a shared database: other proofs are in the data directory.
    ///
    /// - Parameter address: The address of the database; nil for that of the data directory.
    func validate(withDatabase address: String?) throws {
        guard blobs != nil, address == nil else { return }
        throw ValidationError("--blobs requires --database: proofs are in the data directory otherwise.")
    }

    /// Opens the store and verifies that it can be used; nil without one.
    ///
    /// - Throws: `ProgramFailure`.
    func open() async throws -> ObjectStoreProofs? {
        guard let blobs else { return nil }
        do {
            return try await ObjectStoreProofs(ObjectStoreAddress(blobs), environment: ProcessInfo.processInfo.environment)
        } catch let error as ObjectStoreError {
            throw ProgramFailure(message: error.description)
        }
    }
}
