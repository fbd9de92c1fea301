import ArgumentParser
import Foundation
import HistoryChecking
import LadingHTTP
import OrderLifecycle
import OrderSimulation
import Origin
import Synchronization

/// `lading simulate`: lets simulated people use the API.
struct SimulateCommand: AsyncParsableCommand, DataDirectoryCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate", abstract: "Let simulated couriers and dispatchers carry out orders, and record the responses.",
        discussion: """
            The people take orders, lose the network, keep clocks that are wrong, carry orders out and prove them. They are added to the data \
            directory of the server, and revoked at the end. Ctrl-C, or closing the terminal, ends the simulation early: waiting requests \
            are sent, then the histories are read. Check the file with lading check-history.
            """)

    @Option(parsing: .unconditional, help: "The number of couriers.")
    var couriers = 10

    @Option(parsing: .unconditional, help: "The number of dispatchers.")
    var dispatchers = 1

    @Option(parsing: .unconditional, help: "The number of days.")
    var days = 1.0

    @Option(parsing: .unconditional, help: "The number of simulated seconds in a second.")
    var speed = 600.0

    @Option(parsing: .unconditional, help: "The seed of the people's actions.")
    var seed: UInt64 = 1

    @Option(
        help: ArgumentHelp(
            """
            The URL of a server; can be repeated for several servers of the same orders \
            (default: \(FeedOptions.defaultOrigin.url.absoluteString)).
            """, valueName: "url"),
        transform: WebAddress.init(argument:))
    var origin: [WebAddress] = [FeedOptions.defaultOrigin]

    @Option(help: SharedDatabaseOptions.dataHelp)
    var data: String?

    @OptionGroup var shared: SharedDatabaseOptions

    @Option(help: ArgumentHelp("The file of the history; - for standard output.", valueName: "file"))
    var history = "history.jsonl"

    @Flag(
        help: """
            Read the change feed at the end only. A failover that loses visible changes breaks the feed of clients that have read them, until \
            a new epoch begins.
            """)
    var feedAtEnd = false

    func validate() throws {
        try OriginOptions.validate(data: data)
        guard (1...10_000).contains(couriers) else { throw ValidationError("--couriers must be from 1 to 10000.") }
        guard (1...1_000).contains(dispatchers) else { throw ValidationError("--dispatchers must be from 1 to 1000.") }
        guard days > 0, days <= 1_000 else { throw ValidationError("--days must be more than 0 and at most 1000.") }
        guard speed >= 1, speed <= 1_000_000 else { throw ValidationError("--speed must be from 1 to 1000000.") }
    }

    var dataDirectory: URL? { shared.commandAddress(data: data) == nil ? OriginOptions.directory(named: data) : nil }
    var createsStores: Bool { false }

    func run() async throws {
        let plan = SimulationPlan(couriers: couriers, dispatchers: dispatchers, days: days, seed: seed)
        let location = shared.location(data: data)
        // A signal ends the program until the history is open: a pipe may never have a reader.
        let writer = try await withPeople(of: location) { _ in try HistoryWriter(history) }
        try await SignalHandling.endingOnSignal { try await simulate(plan, in: location, writer, isEnded: $0) }
    }

    /// Adds the people, lets them act, and revokes them whatever the outcome.
    private func simulate(
        _ plan: SimulationPlan, in location: StoreLocation, _ writer: HistoryWriter, isEnded: @escaping @Sendable () -> Bool
    ) async throws {
        let tokens = try await withPeople(of: location) { people in
            try await people.addSimulated(plan.courierIDs.map(\.rawValue), dispatchers: plan.dispatcherIDs.map(\.rawValue))
        }
        do {
            let count = try await simulate(plan, tokens, writer, isEnded: isEnded)
            try await withPeople(of: location) { try await $0.revokeSimulated(tokens) }
            try writer.close()
            Terminal.error.write("\(count) orders, history in \(history == "-" ? "standard output" : history.oneLine)\n")
        } catch {
            try? await withPeople(of: location) { try await $0.revokeSimulated(tokens) }
            if history == "-", error.isBrokenPipe { throw ProgramFailure.outputFailure(EPIPE) }
            throw ProgramFailure(error, hint: "start it with \"lading serve\", or choose another with --origin")
        }
    }

    /// Opens the people of the server for one command, because a connection that stays open would hinder who copies or restores the database.
    private func withPeople<Result>(
        of location: StoreLocation, _ command: (OriginPeople) async throws -> Result
    ) async throws -> Result {
        try await withResource(OriginPeople(in: location), close: { try await $0.close() }, command)
    }

    private func simulate(
        _ plan: SimulationPlan, _ tokens: [OriginPeople.SimulatedPerson], _ writer: HistoryWriter, isEnded: @escaping @Sendable () -> Bool
    ) async throws -> Int {
        let couriers = tokens.filter { !$0.isDispatcher }.map { PersonID(rawValue: $0.id) }
        let dispatchers = tokens.filter(\.isDispatcher).map { PersonID(rawValue: $0.id) }
        let client = OrderClient(
            client: BackendClient(), origins: origin.map(\.url),
            tokens: Dictionary(uniqueKeysWithValues: tokens.map { (PersonID(rawValue: $0.id), $0.token) }), dispatcher: dispatchers[0])
        let simulation = Simulation(
            agents: plan.agents(couriers: couriers, dispatchers: dispatchers, at: .now), service: client, speed: speed,
            duration: plan.duration, followsChanges: !feedAtEnd, write: writer.write)
        let progress = Task { await displayProgress(of: plan) }
        defer { progress.cancel() }
        return try await simulation.run(isEnded: isEnded)
    }

    /// Draws a bar by the real time until its task is cancelled.
    private func displayProgress(of plan: SimulationPlan) async {
        let duration = plan.duration / speed
        var bar = ProgressBar("Simulating, in seconds", total: Int(duration.components.seconds))
        let start = ContinuousClock.now
        while (try? await Task.sleep(for: .milliseconds(200))) != nil {
            bar.advance(to: Int(min(start.duration(to: .now), duration).components.seconds))
        }
        bar.clear()
    }
}

extension Error {
    /// Whether the reader of a pipe has closed it.
    fileprivate var isBrokenPipe: Bool {
        let error = self as NSError
        if error.domain == NSPOSIXErrorDomain { return error.code == Int(EPIPE) }
        return (error.userInfo[NSUnderlyingErrorKey] as? any Error)?.isBrokenPipe ?? false
    }
}

extension Timestamp {
    /// The present time.
    static var now: Timestamp { Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1_000)) }
}

/// `lading check-history`: checks recorded histories.
struct CheckHistoryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check-history", abstract: "Check recorded histories against the invariants of the life of an order.",
        discussion: """
            Prints the shortest counterexample of each broken invariant, and ends with 1 if there is one. The invariants are numbered as in \
            Docs/Guides/OrderAPI.md.
            """)

    @Argument(help: "The files that lading simulate has written.")
    var files: [String]

    func run() throws {
        var records: [HistoryRecord] = []
        for file in files {
            guard let text = try? String(contentsOf: URL(filePath: file), encoding: .utf8) else {
                throw ProgramFailure(message: "cannot read \(file.oneLine): check that it exists and is text in UTF-8")
            }
            do { records += try HistoryFile.records(in: text) } catch { throw ProgramFailure(message: "\(file.oneLine): \(error)") }
        }
        guard !records.isEmpty else { throw ProgramFailure(message: "there is no record in \(files.joined(separator: ", ").oneLine)") }
        let violations = HistoryChecker.violations(in: records)
        for invariant in Violation.Invariant.allCases {
            guard let violation = violations.first(where: { $0.invariant == invariant }) else { continue }
            Terminal.output.write("\(violation)\n")
            for record in violation.records { Terminal.output.write("  \(HistoryFile.line(record))\n") }
        }
        let orders = Set(records.filter { $0.kind == .history }.map(\.order)).count
        guard violations.isEmpty else { throw ProgramFailure(message: "\(violations.count) violations in \(orders) orders") }
        Terminal.output.write("\(records.count) records of \(orders) orders: ok\n")
    }
}
