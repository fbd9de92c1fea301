import LadingOperations
import MarsPhotos
import Synchronization

/// The progress of photos that are being loaded, reported to observers in steps of a tenth.
final class PhotoProgress: Sendable {
    typealias Observer = @Sendable (MarsPhotoID) -> Void

    /// The minimum time between two reports of one photo.
    private static let interval = Duration.milliseconds(250)
    private static let steps = 10

    private struct State {
        /// The progress by photo, in percent.
        var percents: [MarsPhotoID: Int] = [:]
        var observers: [ObjectIdentifier: Observer] = [:]
    }

    private let state = Mutex(State())
    private let queue: BackendQueue
    private let clock: any Clock<Duration>

    /// - Parameter clock: Measures the time between two reports.
    init(queue: BackendQueue, clock: any Clock<Duration>) {
        self.queue = queue
        self.clock = clock
    }

    /// Returns the progress of a photo in percent; nil when it is not being loaded.
    func percent(of id: MarsPhotoID) -> Int? { state.withLock { $0.percents[id] } }

    /// Adds an observer, which is called with each step until it is removed.
    func addObserver(_ owner: AnyObject, _ observer: @escaping Observer) {
        state.withLock { $0.observers[ObjectIdentifier(owner)] = observer }
    }

    func removeObserver(_ owner: AnyObject) {
        _ = state.withLock { $0.observers.removeValue(forKey: ObjectIdentifier(owner)) }
    }

    /// Tracks an operation that will be submitted, until it ends.
    func track(_ load: BackendOperation<MarsImage>, of id: MarsPhotoID) {
        state.withLock { $0.percents[id] = 0 }
        let task = queue.task { [weak self, clock, progress = load.progress] in
            for await snapshot in progress.updates(every: Self.interval, clock: clock) { self?.update(snapshot.fraction, of: id) }
        }
        load.onResult { [weak self] _ in
            task.cancel()
            self?.remove(id)
        }
    }

    private func update(_ fraction: Double?, of id: MarsPhotoID) {
        guard let fraction else { return }
        let percent = Int(fraction * Double(Self.steps)) * (100 / Self.steps)
        let watchers = state.withLock { state -> [Observer] in
            // A load that has ended meanwhile is not reported.
            guard let known = state.percents[id], known != percent else { return [] }
            state.percents[id] = percent
            return Array(state.observers.values)
        }
        for watcher in watchers { watcher(id) }
    }

    private func remove(_ id: MarsPhotoID) {
        _ = state.withLock { $0.percents.removeValue(forKey: id) }
    }
}
