import Crypto
import Foundation
import LadingCaching
import LadingOperations
import MarsPhotos
import Thumbnails

/// Photos and their thumbnails: loaded and made once, and kept in memory for a while as long as there is room.
struct PhotoImageLoader: Sendable {
    /// In bytes.
    static let fullImageCacheLimit = 128 << 20
    /// In bytes.
    static let thumbnailCacheLimit = 64 << 20
    /// For how long a picture is handed out before it is asked for again: whether it is still good, the cache behind it knows.
    static let lifetime = Duration.seconds(600)
    /// The sides of thumbnails, in pixels: for screens with one pixel in a point, and with two or more.
    static let thumbnailSides = [cellSide, 640]
    /// The side of the thumbnail that a cell waits for.
    static let cellSide = 320

    /// A picture, and what tells the photo that it was made of from any other.
    struct LoadedImage: Sendable {
        let image: ImageLoader.LoadedImage
        /// The beginning of the photo's digest by SHA-256.
        let digest: String
    }

    private struct Key: Hashable, Sendable {
        let url: URL
        let side: Int
    }

    /// How far those are that are being loaded.
    let progress: PhotoProgress
    private let source: any PhotoSource
    private let fullImages: MemoryCache<URL, LoadedImage>
    private let thumbnails: MemoryCache<Key, LoadedImage>

    init(_ source: any PhotoSource, queue: BackendQueue, clock: any Clock<Duration>) {
        self.source = source
        fullImages = MemoryCache(costLimit: Self.fullImageCacheLimit, lifetime: Self.lifetime, clock: clock)
        thumbnails = MemoryCache(costLimit: Self.thumbnailCacheLimit, lifetime: Self.lifetime, clock: clock)
        progress = PhotoProgress(queue: queue, clock: clock)
    }

    /// An operation that gives a photo as it came.
    func fullImage(of photo: MarsPhoto) -> BackendOperation<LoadedImage> {
        if let known = fullImages.value(for: photo.image) { return BackendOperation("photo \(photo.id)", result: .success(known)) }
        let (source, progress, wholes) = (source, progress, fullImages)
        let begin = BackendOperation("photo \(photo.id)", result: .success(photo))
        let load = BackendOperation<MarsImage>(
            "fetch \(photo.id)", key: OperationKey(verb: "fetch photo", subject: photo.image.absoluteString), lane: .cpu, after: begin,
            then: { photo in
                let load = source.image(of: photo, size: .full)
                progress.track(load, of: photo.id)
                return load
            })
        return BackendOperation("photo \(photo.id)", lane: .cpu, after: load) { image in
            let known = LoadedImage(image)
            wholes.store(known, for: photo.image, cost: image.bytes.count)
            return known
        }
    }

    /// An operation that gives the middle of a photo as a square, or all of it where none can be made of it.
    ///
    /// - Parameter side: One of `sides`.
    func thumbnail(of photo: MarsPhoto, side: Int) -> BackendOperation<LoadedImage> {
        let (key, thumbnails) = (Key(url: photo.image, side: side), thumbnails)
        let name = "thumbnail \(photo.id)"
        if let known = thumbnails.value(for: key) { return BackendOperation(name, result: .success(known)) }
        return BackendOperation(
            name, key: OperationKey(verb: "thumbnail \(side)", subject: photo.image.absoluteString), lane: .cpu, after: fullImage(of: photo)
        ) { whole in
            let known = try whole.thumbnail(side: side)
            thumbnails.store(known, for: key, cost: known.image.bytes.count)
            return known
        }
    }
}

extension PhotoImageLoader.LoadedImage {
    init(_ image: MarsImage) {
        self.image = ImageLoader.LoadedImage(mediaType: image.format.mediaType, bytes: image.bytes)
        digest = SHA256.hash(data: image.bytes).prefix(8).map { String(format: "%02x", $0) }.joined()
    }

    fileprivate func thumbnail(side: Int) throws -> Self {
        guard let thumbnail = try Thumbnail(of: image.bytes, geometry: .centerSquare(side)) else { return self }
        return Self(image: ImageLoader.LoadedImage(mediaType: Thumbnail.mediaType, bytes: thumbnail.bytes), digest: digest)
    }
}
