import Deliveries
import Foundation
import LadingFeeds
import LadingSQLite

/// One call of `lading deliveries`: fetches what is asked for, then prints what is stored.
struct DeliveryRun: Sendable {
    /// How many deliveries are fetched unless told otherwise.
    static let usualCount = 20

    var list: DeliveryList
    var directory: URL
    var query: RecordQuery
    var count: Int?
    var isOffline: Bool
    var isJSON: Bool
    /// What to do when the server cannot be reached.
    var hint: String

    func perform(_ engine: Engine) async throws {
        let desk = try DeliveryDesk(list, in: directory)
        defer { desk.close() }
        var failure: ProgramFailure?
        if let obstacle = desk.obstacle {
            if !isOffline { Self.tell(obstacle) }
        } else if !isOffline {
            failure = try await fetch(desk, engine)
        }
        let age = try await DeliveryListing(store: desk.store, query: query, limit: limit, isJSON: isJSON).print()
        if let aside = desk.store.setAside { Self.tell(aside.description) }
        if desk.store.isDiskFull { Terminal.error.reportFullDisk(desk.folder, lost: "deliveries are not stored") }
        let isFresh = !isOffline && failure == nil && desk.obstacle == nil
        if age.count > 0, !isFresh { Self.tell(age.text(now: Date())) }
        if let failure { throw failure }
        if age.count == 0 { try await explainNothing(desk) }
    }

    /// What is printed: all that is found offline or by a query, otherwise as much as was to be fetched.
    private var limit: Int? { isOffline || query != RecordQuery() ? (isOffline ? count : nil) : count ?? Self.usualCount }

    /// Gives back what it failed with.
    private func fetch(_ desk: DeliveryDesk, _ engine: Engine) async throws -> ProgramFailure? {
        do {
            let report = try await DeliveryDownload(desk, engine).fetch(count ?? Self.usualCount)
            if report.skipped > 0 { Self.tell("\(report.skipped) rows could not be read and were left out") }
            switch report.halt {
            case .repeats: Self.tell("the server sends the same deliveries on every page: perhaps it does not page")
            case .unreadable: Self.tell("the server sends page after page in which nothing can be read: is it the right address?")
            case nil: break
            }
            return nil
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            return ProgramFailure(error, hint: hint)
        }
    }

    private func explainNothing(_ desk: DeliveryDesk) async throws {
        guard try await !desk.store.runs().isEmpty else {
            throw ProgramFailure(
                message: "no deliveries are stored yet: run \"lading deliveries\" without --offline while there is a network")
        }
        Self.tell(query == RecordQuery() ? "there are no deliveries" : "no delivery is found")
    }

    private static func tell(_ text: String) { Terminal.error.write("lading: \(text.oneLine)\n") }
}
