import Digests
import Foundation
package import OrderLifecycle
package import OrderStorage

/// An import of a file of orders into a store.
///
///     var importer = OrderImporter(into: store, id: id, mode: .allOrNothing, options: options, now: now)
///     for try await part in body { try await importer.read(part) }
///     let result = try await importer.finish(by: person)
package struct OrderImporter: Sendable {
    /// The orders that are created.
    package enum Mode: String, CaseIterable, Sendable {
        /// None: the file is only checked.
        case preview
        /// All, if no row is faulty.
        case allOrNothing = "all"
        /// Those of the rows without an error.
        case skipFaulty = "skip-faulty"
    }

    /// The outcome of an import.
    package struct Result: Hashable, Sendable {
        package let preview: OrderFilePreview
        /// Nil if the import was not to create orders, or could not because of faulty rows.
        package let progress: ImportProgress?

        package init(preview: OrderFilePreview, progress: ImportProgress?) {
            (self.preview, self.progress) = (preview, progress)
        }
    }

    /// The number of orders of one transaction, during which other writes wait.
    package static let batchSize = 500

    private let store: any OrderImportStore
    private let id: String
    private let mode: Mode
    private let geocoder: (any AddressGeocoder)?
    private let onFaultyRow: @Sendable (RejectedRow, OrderFileLayout) throws -> Void
    private let now: @Sendable () -> Timestamp
    private var reader: OrderFileReader
    private var preview = OrderFilePreview()
    private var digest = SHA256()
    /// The digest of the numbers of faulty rows.
    private var faultyRows = SHA256()
    private var batch: [StagedOrder] = []
    private var stagedCount = 0

    /// - Parameters:
    ///   - id: An id that no other import has.
    ///   - geocoder: Finds the places of addresses without coordinates of orders that may be created; nil for none.
    ///   - onFaultyRow: Called with each faulty row as it is read, and with the layout of its file.
    package init(
        into store: any OrderImportStore, id: String, mode: Mode, options: OrderFileReader.Options, geocoder: (any AddressGeocoder)? = nil,
        onFaultyRow: @escaping @Sendable (RejectedRow, OrderFileLayout) throws -> Void = { _, _ in },
        now: @escaping @Sendable () -> Timestamp
    ) {
        (self.store, self.id, self.mode, self.geocoder, self.onFaultyRow, self.now) = (store, id, mode, geocoder, onFaultyRow, now)
        reader = OrderFileReader(options: options)
    }

    package var progress: OrderFileProgress { reader.progress }

    /// Reads the next part of the file.
    ///
    /// - Throws: `OrderFileError`, or an error of the store or of `onFaultyRow`. The import has to be cancelled then.
    package mutating func read(_ bytes: [UInt8]) async throws {
        digest.update(data: Data(bytes))
        var events: [OrderFileEvent] = []
        try reader.read(bytes.span) { events.append($0) }
        try await add(events)
    }

    /// Ends the file, and creates its orders.
    ///
    /// - Parameter progress: Called with the progress of the creation.
    /// - Throws: `UnfinishedImport` if the import was accepted, so that the other orders are created later.
    package mutating func finish(
        by person: PersonID?, progress: @Sendable (ImportProgress) -> Void = { _ in }
    ) async throws -> Result {
        var events: [OrderFileEvent] = []
        try reader.finish { events.append($0) }
        try await add(events)
        let isCreating = mode == .skipFaulty || mode == .allOrNothing && preview.faultyCount == 0
        guard isCreating else {
            await cancel()
            return Result(preview: preview, progress: nil)
        }
        try await stageBatch()
        var digest = self.digest.finalize().hexString
        if preview.faultyCount > 0 { digest += " \(faultyRows.finalize().hexString)" }
        try await store.acceptImport(id, count: stagedCount, digest: digest, by: person, at: now())
        return Result(preview: preview, progress: try await createOrders(progress))
    }

    /// Creates the orders of the accepted import.
    private func createOrders(_ progress: @Sendable (ImportProgress) -> Void) async throws -> ImportProgress {
        var last = ImportProgress(created: 0, existing: 0, isFinished: false)
        do {
            return try await Self.complete(id, in: store, now: now) {
                last = $0
                progress($0)
            }
        } catch let error where !(error is CancellationError) {
            throw UnfinishedImport(progress: last, cause: error)
        }
    }

    /// Deletes what was staged, also in a task that is cancelled.
    package func cancel() async {
        await Task { [store, id] in try? await store.discardImport(id) }.value
    }

    /// Creates the orders of an accepted import that are still missing.
    @discardableResult
    package static func complete(
        _ id: String, in store: any OrderImportStore, now: @Sendable () -> Timestamp, progress: (ImportProgress) -> Void = { _ in }
    ) async throws -> ImportProgress {
        while true {
            let current = try await store.continueImport(id, limit: batchSize, at: now())
            progress(current)
            if current.isFinished { return current }
        }
    }

    private mutating func add(_ events: [OrderFileEvent]) async throws {
        for event in events {
            let event = try await located(event)
            preview.add(event)
            if case .faulty(let row) = event { try reject(row) }
            guard case .order(let row) = event, mode != .preview else { continue }
            batch.append(StagedOrder(externalID: row.externalID, content: row.content))
            if batch.count >= Self.batchSize { try await stageBatch() }
        }
    }

    private mutating func reject(_ row: RejectedRow) throws {
        faultyRows.update(data: Data("\(row.number) ".utf8))
        // The layout is known before the first row.
        if let layout = reader.layout { try onFaultyRow(row, layout) }
    }

    /// Returns an event whose order has the place of its address, if the geocoder knows it. For a file that will not be imported nothing is located.
    private func located(_ event: OrderFileEvent) async throws -> OrderFileEvent {
        guard let geocoder, mode == .skipFaulty || mode == .allOrNothing && preview.faultyCount == 0, case .order(let row) = event,
            row.needsLocation
        else { return event }
        var content = row.content
        content.destination.coordinate = try await geocoder.coordinate(of: content.destination.address)
        return .order(OrderFileRow(number: row.number, line: row.line, externalID: row.externalID, content: content))
    }

    private mutating func stageBatch() async throws {
        guard !batch.isEmpty else { return }
        try await store.stage(batch, inImport: id, at: now())
        stagedCount += batch.count
        batch.removeAll(keepingCapacity: true)
    }
}
