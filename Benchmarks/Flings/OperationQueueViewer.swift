import Foundation
import LadingFeeds
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The conventional approach: an `OperationQueue` of `URLSession` tasks, one per visible cell, cancelled when it is hidden.
final class OperationQueueViewer: PhotoViewer {
    private let session: URLSession
    private let queue = OperationQueue()
    private let loading = Mutex<[Int: PhotoOperation]>([:])
    private let base: URL
    private let album: PhotoAlbum
    private let arrivals: PhotoArrivals

    init(base: URL, album: PhotoAlbum, arrivals: PhotoArrivals, width: Int) {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = width
        configuration.urlCache = nil
        session = URLSession(configuration: configuration)
        queue.maxConcurrentOperationCount = width
        (self.base, self.album, self.arrivals) = (base, album, arrivals)
    }

    func didShowFrame(_ viewport: Viewport) {
        let (disappeared, appeared) = loading.withLock { loading in
            let disappeared = loading.filter { !viewport.visible.contains($0.key) }
            for photo in disappeared.keys { loading[photo] = nil }
            var appeared: [PhotoOperation] = []
            for photo in viewport.visible where loading[photo] == nil && !arrivals.contains(photo) {
                let operation = operation(photo)
                loading[photo] = operation
                appeared.append(operation)
            }
            return (disappeared, appeared)
        }
        for operation in disappeared.values { operation.cancel() }
        queue.addOperations(appeared, waitUntilFinished: false)
    }

    func stop() {
        queue.cancelAllOperations()
        session.invalidateAndCancel()
    }

    private func operation(_ photo: Int) -> PhotoOperation {
        arrivals.recordRequest(for: photo)
        return PhotoOperation(session, base.appending(path: "photos/\(photo)")) { [album, arrivals] data in
            if album.isPhoto(data, photo) { arrivals.recordArrival(of: photo) }
        }
    }
}

/// A download that occupies the queue until it ends.
final class PhotoOperation: Operation, @unchecked Sendable {  // Proof: all mutable state is in a Mutex.
    private struct State {
        var isExecuting = false
        var isFinished = false
        var task: URLSessionDataTask?
    }

    private let session: URLSession
    private let url: URL
    private let onCompletion: @Sendable (Data) -> Void
    private let state = Mutex(State())

    init(_ session: URLSession, _ url: URL, onCompletion: @escaping @Sendable (Data) -> Void) {
        (self.session, self.url, self.onCompletion) = (session, url, onCompletion)
    }

    override var isAsynchronous: Bool { true }
    override var isExecuting: Bool { state.withLock { $0.isExecuting } }
    override var isFinished: Bool { state.withLock { $0.isFinished } }

    override func start() {
        guard !isCancelled else { return finish() }
        let task = session.dataTask(with: url) { [self] data, _, _ in
            if let data { onCompletion(data) }
            finish()
        }
        willChangeValue(forKey: "isExecuting")
        state.withLock { state in
            state.isExecuting = true
            state.task = task
        }
        didChangeValue(forKey: "isExecuting")
        task.resume()
    }

    override func cancel() {
        super.cancel()
        state.withLock { $0.task }?.cancel()
    }

    private func finish() {
        willChangeValue(forKey: "isExecuting")
        willChangeValue(forKey: "isFinished")
        state.withLock { state in
            state.isExecuting = false
            state.isFinished = true
            state.task = nil
        }
        didChangeValue(forKey: "isExecuting")
        didChangeValue(forKey: "isFinished")
    }
}
