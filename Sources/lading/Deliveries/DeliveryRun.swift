import Deliveries
import Foundation
import LadingFeeds
import LadingSQLite

/// An invocation of `lading deliveries`: fetches deliveries, then prints the stored ones.
struct DeliveryRun: Sendable {
    /// The default number of fetched deliveries.
    static let defaultCount = 20

    var list: DeliveryList
    var directory: URL
    var query: RecordQuery
    var count: Int?
    var isOffline: Bool
    var isJSON: Bool
    /// The advice for users when the server cannot be reached.
    var hint: String

    func perform(_ engine: Engine) async throws {
        let coordinator = try DeliveryCoordinator(list, in: directory)
        defer { coordinator.close() }
        var failure: ProgramFailure?
        if let lockConflict = coordinator.lockConflict {
            if !isOffline { Self.printNotice(lockConflict) }
        } else if !isOffline {
            failure = try await fetch(coordinator, engine)
        }
        let summary = try await DeliveryListing(store: coordinator.store, query: query, limit: limit, isJSON: isJSON).print()
        if let quarantined = coordinator.store.quarantinedFile { Self.printNotice(quarantined.description) }
        if coordinator.store.isDiskFull { Terminal.error.reportFullDisk(coordinator.folder, lost: "deliveries are not stored") }
        let isFresh = !isOffline && failure == nil && coordinator.lockConflict == nil
        if summary.count > 0, !isFresh { Self.printNotice(summary.text(now: Date())) }
        if let failure { throw failure }
        // The full disk has been reported.
        if coordinator.store.isDiskFull, !isOffline { throw ProgramFailure(message: nil) }
        if summary.count == 0 { try await reportEmptyResult(coordinator) }
    }

    /// The maximum number of printed deliveries: the number to fetch; no limit with a query, or offline without `--count`.
    private var limit: Int? { isOffline || query != RecordQuery() ? (isOffline ? count : nil) : count ?? Self.defaultCount }

    /// Fetches deliveries and returns the failure, if any.
    private func fetch(_ coordinator: DeliveryCoordinator, _ engine: Engine) async throws -> ProgramFailure? {
        do {
            let report = try await DeliveryDownload(coordinator, engine).fetch(count ?? Self.defaultCount)
            if report.skipped > 0 { Self.printNotice("skipped \(report.skipped) invalid rows") }
            switch report.stopReason {
            case .repeatedPages: Self.printNotice("the server sends the same deliveries on every page: check that it supports paging")
            case .unreadablePages:
                Self.printNotice("the server sends only pages without valid rows: check the URL")
            case nil: break
            }
            return nil
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            return ProgramFailure(error, hint: hint)
        }
    }

    private func reportEmptyResult(_ coordinator: DeliveryCoordinator) async throws {
        guard try await !coordinator.store.loadedRanges().isEmpty else {
            throw ProgramFailure(
                message: "no stored deliveries: run \"lading deliveries\" without --offline first")
        }
        Self.printNotice(query == RecordQuery() ? "no deliveries" : "no matching deliveries")
    }

    private static func printNotice(_ text: String) { Terminal.error.write("lading: \(text.oneLine)\n") }
}
