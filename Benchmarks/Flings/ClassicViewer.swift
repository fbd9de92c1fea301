import Foundation
import LadingFeeds
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The classic way: an OperationQueue of tasks of a URLSession, one for each cell that appears, cancelled when it leaves.
final class ClassicViewer: PhotoViewer {
    private let session: URLSession
    private let queue = OperationQueue()
    private let loading = Mutex<[Int: PhotoOperation]>([:])
    private let base: URL
    private let album: PhotoAlbum
    private let shelf: PhotoShelf

    init(base: URL, album: PhotoAlbum, shelf: PhotoShelf, width: Int) {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = width
        configuration.urlCache = nil
        session = URLSession(configuration: configuration)
        queue.maxConcurrentOperationCount = width
        (self.base, self.album, self.shelf) = (base, album, shelf)
    }

    func frame(_ viewport: Viewport) {
        let (left, appeared) = loading.withLock { loading in
            let left = loading.filter { !viewport.visible.contains($0.key) }
            for photo in left.keys { loading[photo] = nil }
            var appeared: [PhotoOperation] = []
            for photo in viewport.visible where loading[photo] == nil && !shelf.has(photo) {
                let operation = operation(photo)
                loading[photo] = operation
                appeared.append(operation)
            }
            return (left, appeared)
        }
        for operation in left.values { operation.cancel() }
        queue.addOperations(appeared, waitUntilFinished: false)
    }

    func stop() {
        queue.cancelAllOperations()
        session.invalidateAndCancel()
    }

    private func operation(_ photo: Int) -> PhotoOperation {
        shelf.asked(for: photo)
        return PhotoOperation(session, base.appending(path: "photos/\(photo)")) { [album, shelf] data in
            if album.isPhoto(data, photo) { shelf.arrived(photo) }
        }
    }
}

/// One download that holds its place in the queue until it has ended.
final class PhotoOperation: Operation, @unchecked Sendable {  // Proof: all that changes lies in a Mutex.
    private struct Standing {
        var isExecuting = false
        var isFinished = false
        var task: URLSessionDataTask?
    }

    private let session: URLSession
    private let url: URL
    private let whenDone: @Sendable (Data) -> Void
    private let standing = Mutex(Standing())

    init(_ session: URLSession, _ url: URL, whenDone: @escaping @Sendable (Data) -> Void) {
        (self.session, self.url, self.whenDone) = (session, url, whenDone)
    }

    override var isAsynchronous: Bool { true }
    override var isExecuting: Bool { standing.withLock { $0.isExecuting } }
    override var isFinished: Bool { standing.withLock { $0.isFinished } }

    override func start() {
        guard !isCancelled else { return finish() }
        let task = session.dataTask(with: url) { [self] data, _, _ in
            if let data { whenDone(data) }
            finish()
        }
        willChangeValue(forKey: "isExecuting")
        standing.withLock { standing in
            standing.isExecuting = true
            standing.task = task
        }
        didChangeValue(forKey: "isExecuting")
        task.resume()
    }

    override func cancel() {
        super.cancel()
        standing.withLock { $0.task }?.cancel()
    }

    private func finish() {
        willChangeValue(forKey: "isExecuting")
        willChangeValue(forKey: "isFinished")
        standing.withLock { standing in
            standing.isExecuting = false
            standing.isFinished = true
            standing.task = nil
        }
        didChangeValue(forKey: "isExecuting")
        didChangeValue(forKey: "isFinished")
    }
}
