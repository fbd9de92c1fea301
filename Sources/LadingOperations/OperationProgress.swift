import Synchronization

/// Where running work tells how far it is.
///
/// The work of an operation finds it in `OperationProgress.current`; elsewhere that is nil.
public final class OperationProgress: Sendable {
    @TaskLocal public static var current: OperationProgress?

    /// How much may remain of an operation that is finished although nobody wants it any more.
    private let finishBytes: Int
    private let nearEnd: @Sendable () -> Void
    private let hasToldNearEnd = Atomic(false)

    init(finishBytes: Int, nearEnd: @escaping @Sendable () -> Void) {
        self.finishBytes = finishBytes
        self.nearEnd = nearEnd
    }

    /// Tells how many bytes are done, and how many there will be when that is known.
    public func report(completed: Int, total: Int?) {
        guard let total, total - completed < finishBytes else { return }
        if !hasToldNearEnd.exchange(true, ordering: .relaxed) { nearEnd() }
    }
}
