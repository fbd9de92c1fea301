import LadingOperations
import MarsPhotos
import Synchronization

/// How far the photos are that are being loaded, told to the screens that show them, a tenth at a time.
final class PhotoProgress: Sendable {
    typealias Observer = @Sendable (MarsPhotoID) -> Void

    /// The least time between two steps of one photo.
    private static let interval = Duration.milliseconds(250)
    private static let steps = 10

    private struct State {
        /// In percent.
        var percents: [MarsPhotoID: Int] = [:]
        var observers: [ObjectIdentifier: Observer] = [:]
    }

    private let state = Mutex(State())
    private let queue: BackendQueue
    private let clock: any Clock<Duration>

    /// - Parameter clock: Measures the time between two steps.
    init(queue: BackendQueue, clock: any Clock<Duration>) {
        self.queue = queue
        self.clock = clock
    }

    /// How much of a photo has come, in percent; nil while it is not known or not under way.
    func percent(of id: MarsPhotoID) -> Int? { state.withLock { $0.percents[id] } }

    /// Tells somebody of each step until they watch no more.
    func addObserver(_ owner: AnyObject, _ watcher: @escaping Observer) {
        state.withLock { $0.observers[ObjectIdentifier(owner)] = watcher }
    }

    func removeObserver(_ owner: AnyObject) {
        _ = state.withLock { $0.observers.removeValue(forKey: ObjectIdentifier(owner)) }
    }

    /// Follows an operation that will be submitted, until it ends.
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
            // What has ended is known no more, whoever was just about to tell of it.
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
