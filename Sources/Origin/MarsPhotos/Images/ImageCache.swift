import NIOCore
import Synchronization

/// The pictures drawn last, ready to be sent.
final class ImageCache: Sendable {
    /// How many bytes of pictures are kept.
    static let capacity = 64 << 20

    fileprivate struct State {
        var images: [PhotoImage: (file: Representation, size: Int)] = [:]
        /// The oldest first.
        var insertionOrder: [PhotoImage] = []
        /// How many of the first were given up already.
        var evictedCount = 0
        var size = 0
    }

    private let seed: UInt64
    private let state = Mutex(State())

    init(seed: UInt64) {
        self.seed = seed
    }

    /// Drawn when it is not kept; two who ask at once may both draw it.
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
