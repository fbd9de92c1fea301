import NIOCore
import Synchronization

/// A cache of recently rendered images, ready to be sent.
final class ImageCache: Sendable {
    /// The maximum size of the cached images, in bytes.
    static let capacity = 64 << 20

    fileprivate struct State {
        var images: [PhotoImage: (file: Representation, size: Int)] = [:]
        /// The cached images, oldest first.
        var insertionOrder: [PhotoImage] = []
        /// The number of evicted images at the front of `insertionOrder`.
        var evictedCount = 0
        var size = 0
    }

    private let seed: UInt64
    private let state = Mutex(State())

    init(seed: UInt64) {
        self.seed = seed
    }

    /// Returns an image, rendering it when it is not cached. Concurrent requests may both render it.
    func image(for photoImage: PhotoImage) -> Representation {
        if let cached = state.withLock({ $0.images[photoImage]?.file }) { return cached }
        let imageFile = ImageFile(photoImage, seed: seed)
        let file = Representation(ByteBuffer(bytes: imageFile.bytes), of: .photo(imageFile.mediaType), lastModified: nil)
        state.withLock { $0.insert(photoImage, file, size: imageFile.bytes.count) }
        return file
    }
}

extension ImageCache.State {
    fileprivate mutating func insert(_ photoImage: PhotoImage, _ file: Representation, size bytes: Int) {
        guard images[photoImage] == nil else { return }
        images[photoImage] = (file, bytes)
        insertionOrder.append(photoImage)
        size += bytes
        while size > ImageCache.capacity, evictedCount < insertionOrder.count {
            size -= images.removeValue(forKey: insertionOrder[evictedCount])?.size ?? 0
            evictedCount += 1
        }
        if evictedCount > insertionOrder.count / 2 {
            insertionOrder.removeFirst(evictedCount)
            evictedCount = 0
        }
    }
}
