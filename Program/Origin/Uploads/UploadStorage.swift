import Foundation
import HTTPFieldValues
import NIOCore
import ServerStartup

/// A storage of uploaded files and of uploads in progress.
protocol UploadStorage: Sendable {
    /// The maximum size of a file, in bytes.
    var sizeLimit: Int { get }

    /// Returns a complete file; nil when there is none with this name.
    func file(_ name: UploadName) async throws -> (any UploadedFile)?

    /// Creates an upload. If a limit on their number is reached, one that has received no byte for `UploadRecord.idleTime` makes room.
    ///
    /// - Parameter client: The network of the client; nil where it is unknown.
    /// - Throws: `UploadProblem.tooManyUploadsPerClient`, `.tooManyUploads` or `.noSpace`.
    func create(
        _ name: UploadName, length: Int?, preconditions: Preconditions?, for client: ClientAddress?
    ) async throws -> UploadRecord

    /// Returns an upload; nil for an unknown or expired one.
    func record(_ id: String) async throws -> UploadRecord?

    /// Returns the number of received bytes of an upload, all of which survive a power failure.
    func durableOffset(of record: UploadRecord) async throws -> Int

    /// Returns the number of received bytes of an upload.
    func offset(of record: UploadRecord) async throws -> Int

    /// Begins to append bytes at the offset of an upload.
    ///
    /// - Throws: `UploadProblem.removed`.
    func writer(for record: UploadRecord, at offset: Int) async throws -> any UploadWriter

    /// Makes a complete, durable upload the file of its name.
    ///
    /// - Returns: Whether a file was replaced; nil when a precondition failed and nothing was done.
    func publish(_ record: UploadRecord, length: Int) async throws -> Bool?

    /// Removes an upload, but not the file that it has become.
    func remove(_ id: String) async throws

    /// Returns the remaining lifetime of an upload, in seconds.
    ///
    /// - Parameter isEmpty: Whether it has no content yet, which shortens its lifetime.
    func remainingLifetime(of record: UploadRecord, isEmpty: Bool) -> Int

    /// Releases what the storage occupies.
    func close()
}

/// The content of an upload that a request appends.
protocol UploadWriter: Sendable {
    /// - Throws: `UploadProblem.noSpace`, `.removed`, or an error of the storage.
    func append(_ buffer: ByteBuffer) async throws

    /// Makes all appended bytes durable.
    ///
    /// - Throws: As `append`.
    func checkpoint() async throws
}

/// A complete file, which stays readable when another one replaces it.
protocol UploadedFile: Sendable {
    var length: Int { get }
    /// A strong validator.
    var tag: EntityTag { get }
    var lastModified: HTTPDate { get }

    /// Reads at most `count` bytes at an offset, at least one.
    func content(from offset: Int, atMost count: Int) async throws -> ByteBuffer
}
