import LadingOperations
import Synchronization

/// A simulated link whose transfers share the bandwidth equally, in simulated time.
final class SimulatedLink: Sendable {
    private struct Transfer {
        let bytes: Int
        let firstByteAt: Duration
        /// The number of bytes that remain.
        var bytesLeft: Double
        let progress: OperationProgress?
        var hasStarted = false
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var now = Duration.zero
        var transfers: [Int: Transfer] = [:]
        var lastID = 0
        /// The transfers that were cancelled before they started.
        var cancelled: Set<Int> = []
    }

    /// The interval of progress reports.
    private static let reportInterval = Duration.milliseconds(50)

    private let bytesPerSecond: Double
    private let roundTrip: Duration
    private let state = Mutex(State())

    init(bytesPerSecond: Double, roundTrip: Duration) {
        self.bytesPerSecond = bytesPerSecond
        self.roundTrip = roundTrip
    }

    /// Waits until a response of this length has been transferred.
    func transfer(_ bytes: Int) async throws {
        let progress = OperationProgress.current
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { waiter in
                let isCancelled = state.withLock { state in
                    if state.cancelled.remove(id) != nil { return true }
                    state.transfers[id] = Transfer(
                        bytes: bytes, firstByteAt: state.now + roundTrip, bytesLeft: Double(bytes), progress: progress, continuation: waiter
                    )
                    return false
                }
                if isCancelled { waiter.resume(throwing: CancellationError()) }
            }
        } onCancel: {
            let transfer = state.withLock { state in
                let transfer = state.transfers.removeValue(forKey: id)
                if transfer == nil { state.cancelled.insert(id) }
                return transfer
            }
            transfer?.continuation.resume(throwing: CancellationError())
        }
    }

    /// Returns the time that this many bytes take over the link.
    func seconds(for bytes: Int) -> Double { Double(bytes) / bytesPerSecond }

    /// The time of the next first byte, end of a transfer or progress report if no transfer starts before; nil without transfers.
    var nextEvent: Duration? { state.withLock { Self.nextEvent(of: $0, bytesPerSecond) } }

    /// Transfers bytes until a time, which must not be after `nextEvent`.
    func run(until time: Duration) {
        let (active, ended) = state.withLock { state in
            let under = state.transfers.filter { $0.value.firstByteAt <= state.now }
            let carried = bytesPerSecond * ((time - state.now) / .seconds(1)) / Double(max(1, under.count))
            for id in under.keys { state.transfers[id]?.bytesLeft -= carried }
            state.now = time
            let begun = state.transfers.filter { !$0.value.hasStarted && $0.value.firstByteAt <= time }
            for id in begun.keys { state.transfers[id]?.hasStarted = true }
            let ended = state.transfers.filter { $0.value.hasStarted && $0.value.bytesLeft < 0.5 }
            for id in ended.keys { state.transfers[id] = nil }
            let underWay = state.transfers.values.filter { $0.hasStarted }
            return (underWay, ended.sorted { $0.key < $1.key })
        }
        for transfer in active {
            transfer.progress?.report(completed: max(1, transfer.bytes - Int(transfer.bytesLeft)), total: transfer.bytes)
        }
        for (_, transfer) in ended {
            transfer.progress?.report(completed: transfer.bytes, total: transfer.bytes)
            transfer.continuation.resume()
        }
    }

    private static func nextEvent(of state: State, _ bytesPerSecond: Double) -> Duration? {
        let under = state.transfers.values.filter { $0.firstByteAt <= state.now }
        let end = under.map(\.bytesLeft).min().map { left in
            state.now + max(.nanoseconds(1), .seconds(max(0, left) * Double(under.count) / bytesPerSecond) + .nanoseconds(1))
        }
        let begin = state.transfers.values.filter { $0.firstByteAt > state.now }.map(\.firstByteAt).min()
        return [end, begin, under.isEmpty ? nil : state.now + reportInterval].compactMap { $0 }.min()
    }
}
