import FilePermissions
package import Foundation
import OrderAPI
package import OrderFiles
import OrderLifecycle
package import OrderStorage

/// The orders of an origin as files, imported and exported in its data directory, also while it runs.
package struct OriginOrderFiles {
    private let database: OpenedOrderStore
    private var store: any OrderImportStore { database.store }
    private let now: @Sendable () -> Date

    /// Opens the database.
    ///
    /// - Parameter createsDatabase: Whether a missing database in a directory is created; otherwise it is an error.
    package init(
        in location: StoreLocation, createsDatabase: Bool = false, now: @escaping @Sendable () -> Date = { Date() }
    ) async throws(OriginError) {
        database = try await OpenedOrderStore(in: location, createsDatabase: createsDatabase)
        self.now = now
    }

    package func close() async throws { try await database.close() }

    /// Creates the missing orders of imports that were interrupted.
    package func completeImports() async throws {
        for id in try await store.unfinishedImports() {
            try await OrderImporter.complete(id, in: store) { [now] in Timestamp(now()) }
        }
    }

    /// Imports a file.
    ///
    /// - Parameters:
    ///   - geocoder: Finds the places of addresses without coordinates; nil for none.
    ///   - onFaultyRow: Called with each faulty row as it is read, and with the layout of its file. After an error nothing is created.
    ///   - readProgress: Called with the number of bytes that have been read.
    ///   - progress: Called with the progress of the creation.
    /// - Throws: `OrderFileError`, `UnfinishedImport`, `CancellationError`, or an error of the database or of `onFaultyRow`.
    package func `import`(
        _ file: OrderFile, mode: OrderImporter.Mode, options: OrderFileReader.Options, geocoder: (any AddressGeocoder)? = nil,
        onFaultyRow: @escaping @Sendable (RejectedRow, OrderFileLayout) throws -> Void = { _, _ in },
        readProgress: @escaping @Sendable (Int) -> Void = { _ in },
        progress: @escaping @Sendable (ImportProgress) -> Void = { _ in }
    ) async throws -> OrderImporter.Result {
        let time: @Sendable () -> Timestamp = { [now] in Timestamp(now()) }
        var importer = OrderImporter(
            into: store, id: RandomText().id(), mode: mode, options: options, geocoder: geocoder, onFaultyRow: onFaultyRow, now: time)
        do {
            var parts = try file.parts()
            while let part = try parts.next() {
                try Task.checkCancellation()
                try await importer.read(part)
                readProgress(importer.progress.byteCount)
            }
            return try await importer.finish(by: nil, progress: progress)
        } catch {
            await importer.cancel()
            throw error
        }
    }

    /// Returns orders as a file.
    package func export(_ query: BoardQuery, format: OrderFileFormat) -> OrderExport { OrderExport(query, of: store, format: format) }

    /// Writes the proofs of orders as files into a folder.
    ///
    /// - Parameter onFailure: Called with each proof whose bytes the object store has lost or changed.
    /// - Returns: The number of files.
    package func exportProofs(_ query: BoardQuery, to folder: URL, onFailure: (ProofID, ProofContentError) -> Void) async throws -> Int {
        var (query, count) = (query, 0)
        repeat {
            let page = try await store.orders(query)
            for order in page.orders {
                for record in try await store.proofs(ofOrder: order.id) where !record.isDeleted {
                    try Task.checkCancellation()
                    do {
                        guard let proof = try await store.proof(record.id) else { continue }
                        try write(Data(proof.content), to: folder.appending(path: record.fileName))
                        count += 1
                    } catch let error as ProofContentError where error != .noStore {
                        onFailure(record.id, error)
                    }
                }
            }
            query.after = page.next
        } while query.after != nil
        return count
    }

    /// Writes a file that others cannot read. A file that is not complete is never there under its name.
    private func write(_ content: Data, to file: URL) throws {
        let partial = file.appendingPathExtension("part")
        defer { unlink(partial.path(percentEncoded: false)) }
        try PrivateFiles.write(content, to: partial)
        try StoredFile.check(rename(partial.path(percentEncoded: false), file.path(percentEncoded: false)))
    }
}

extension ProofRecord {
    /// The name of its file: the order, the kind and the begin of the digest.
    fileprivate var fileName: String {
        let fileExtension = ["image/jpeg": "jpg", "image/png": "png", "image/webp": "webp"][mediaType] ?? "txt"
        return "order-\(id.order)-\(kind.rawValue)-\(id.digest.rawValue.prefix(12)).\(fileExtension)"
    }
}
