import NIOCore
import Synchronization

/// The pictures drawn last, ready to be sent.
final class PictureCache: Sendable {
    /// How many bytes of pictures are kept.
    static let capacity = 64 << 20

    fileprivate struct State {
        var pictures: [MarsPicture: (file: Representation, size: Int)] = [:]
        /// The oldest first.
        var order: [MarsPicture] = []
        /// How many of the first were given up already.
        var gone = 0
        var size = 0
    }

    private let seed: UInt64
    private let state = Mutex(State())

    init(seed: UInt64) {
        self.seed = seed
    }

    /// Drawn when it is not kept; two who ask at once may both draw it.
    func picture(_ picture: MarsPicture) -> Representation {
        if let kept = state.withLock({ $0.pictures[picture]?.file }) { return kept }
        let drawn = PictureFile(picture, seed: seed)
        let file = Representation(ByteBuffer(bytes: drawn.bytes), of: .photo(drawn.mediaType), lastModified: nil)
        state.withLock { $0.keep(picture, file, size: drawn.bytes.count) }
        return file
    }
}

extension PictureCache.State {
    fileprivate mutating func keep(_ picture: MarsPicture, _ file: Representation, size bytes: Int) {
        guard pictures[picture] == nil else { return }
        pictures[picture] = (file, bytes)
        order.append(picture)
        size += bytes
        while size > PictureCache.capacity, gone < order.count {
            size -= pictures.removeValue(forKey: order[gone])?.size ?? 0
            gone += 1
        }
        if gone > order.count / 2 {
            order.removeFirst(gone)
            gone = 0
        }
    }
}
