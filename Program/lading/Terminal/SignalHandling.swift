import Foundation
import ServiceLifecycle
import Synchronization
import UnixSignals

/// The handling of SIGINT, SIGTERM and SIGHUP.
enum SignalHandling {
    /// The maximum duration of a graceful shutdown; then open responses are aborted.
    static let shutdownLimit = Duration.seconds(10)

    /// Runs work that Ctrl-C cancels.
    ///
    /// - Throws: `ProgramFailure.interrupted` after Ctrl-C, or the error of the work.
    static func cancelOnInterrupt<Outcome: Sendable>(_ work: @escaping @Sendable () async throws -> Outcome) async throws -> Outcome {
        let signals = await UnixSignalsSequence(trapping: .sigint)
        return try await withThrowingTaskGroup(of: Outcome?.self) { group in
            group.addTask { try await work() }
            group.addTask {
                for await _ in signals { throw ProgramFailure.interrupted }
                return nil
            }
            defer { group.cancelAll() }
            while let outcome = try await group.next() {
                if let outcome { return outcome }
            }
            throw ProgramFailure.interrupted
        }
    }

    /// Runs work that cannot be cancelled: Ctrl-C ends the program after a clean-up.
    static func exitOnInterrupt<Outcome>(cleaningUp: @escaping @Sendable () -> Void, _ work: () throws -> Outcome) async throws -> Outcome {
        let signals = await UnixSignalsSequence(trapping: .sigint)
        let watch = Task {
            for await _ in signals {
                cleaningUp()
                exit(ProgramFailure.Code.interrupted.rawValue)
            }
        }
        defer { watch.cancel() }
        return try work()
    }

    /// Runs work that ends early, in its own way, after the first signal; the second ends the program immediately, unless it is another SIGHUP.
    ///
    /// - Parameter work: Its argument returns whether a signal has arrived.
    static func endingOnSignal<Outcome: Sendable>(
        _ work: @escaping @Sendable (_ isEnded: @escaping @Sendable () -> Bool) async throws -> Outcome
    ) async throws -> Outcome {
        let signals = await UnixSignalsSequence(trapping: endingSignals)
        let hasArrived = SignalFlag()
        let watch = Task {
            for await signal in signals where hasArrived.set() && signal != .sighup { exit(ProgramFailure.Code.interrupted.rawValue) }
        }
        defer { watch.cancel() }
        return try await work { hasArrived.isSet }
    }

    /// The signals that end a program in order.
    ///
    /// SIGHUP may arrive twice: a shell and the system report the end of a terminal. A program that was started with `nohup` ignores it.
    private static var endingSignals: [UnixSignal] {
        isHangupIgnored ? [.sigint, .sigterm] : [.sigint, .sigterm, .sighup]
    }

    private static var isHangupIgnored: Bool {
        var action = sigaction()
        guard sigaction(SIGHUP, nil, &action) == 0 else { return false }
        #if canImport(Darwin)
            let handler = action.__sigaction_u.__sa_handler
        #else
            let handler = action.__sigaction_handler.sa_handler
        #endif
        return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    /// Whether a signal has arrived.
    private final class SignalFlag: Sendable {
        private let state = Mutex(false)
        var isSet: Bool { state.withLock(\.self) }

        /// Records an arrival, and returns whether there was one before.
        func set() -> Bool {
            state.withLock { state in
                defer { state = true }
                return state
            }
        }
    }

    /// Runs services until one ends or a signal arrives.
    ///
    /// The first signal begins a graceful shutdown, the second ends the program immediately, unless it is another SIGHUP.
    static func runUntilSignal(_ group: ServiceGroup) async throws {
        let signals = await UnixSignalsSequence(trapping: endingSignals)
        let watch = Task {
            var first: UnixSignal?
            for await signal in signals {
                if first == nil {
                    first = signal
                    await group.triggerGracefulShutdown()
                } else if signal != .sighup {
                    exit(ProgramFailure.Code.interrupted.rawValue)
                }
            }
            return first
        }
        defer { watch.cancel() }
        try await group.run()
        watch.cancel()
        if await watch.value == .sigint { throw ProgramFailure.interrupted }
    }
}
