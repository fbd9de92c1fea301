import Digests
import Foundation
import LadingCaching
import LadingOperations
import MarsPhotos
import NIOCore
import Thumbnails

/// A loader of photos and their thumbnails with bounded memory caches.
struct PhotoImageLoader: Sendable {
    /// The maximum size of cached photos, in bytes.
    static let fullImageCacheLimit = 128 << 20
    /// The maximum size of cached thumbnails, in bytes.
    static let thumbnailCacheLimit = 64 << 20
    /// The lifetime of an image in memory; then the HTTP cache behind it decides about revalidation.
    static let lifetime = Duration.seconds(600)
    /// The sides of thumbnails, in pixels: for screens with one device pixel per point, and with two or more.
    static let thumbnailSides = [cellSide, 640]
    /// The side of the thumbnail in a grid cell, in pixels.
    static let cellSide = 320

    /// An image with a digest of the original photo.
    struct LoadedImage: Sendable {
        let image: ImageLoader.LoadedImage
        /// The first 8 bytes of the photo's SHA-256 digest, in hexadecimal.
        let digest: String
    }

    private struct Key: Hashable, Sendable {
        let url: URL
        let side: Int
    }

    /// The progress of current loads.
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

    /// Returns an operation that loads a photo unchanged.
    func fullImage(of photo: MarsPhoto) -> BackendOperation<LoadedImage> {
        if let known = fullImages.value(for: photo.image) { return BackendOperation("photo \(photo.id)", result: .success(known)) }
        let (source, progress, fullImages) = (source, progress, fullImages)
        let begin = BackendOperation("photo \(photo.id)", result: .success(photo))
        let load = BackendOperation<MarsImage>(
            "fetch \(photo.id)", key: .action("fetch photo", on: photo.image.absoluteString), lane: .cpu, after: begin,
            then: { photo in
                let load = source.image(of: photo, size: .full)
                progress.track(load, of: photo.id)
                return load
            })
        return BackendOperation("photo \(photo.id)", lane: .cpu, after: load) { image in
            let known = LoadedImage(image)
            fullImages.store(known, for: photo.image, cost: image.bytes.count)
            return known
        }
    }

    /// Returns an operation that creates a square thumbnail of the center of a photo, or returns the full image where none can be created.
    ///
    /// - Parameter side: One of `thumbnailSides`.
    func thumbnail(of photo: MarsPhoto, side: Int) -> BackendOperation<LoadedImage> {
        let (key, thumbnails) = (Key(url: photo.image, side: side), thumbnails)
        let name = "thumbnail \(photo.id)"
        if let known = thumbnails.value(for: key) { return BackendOperation(name, result: .success(known)) }
        return BackendOperation(
            name, key: .action("thumbnail \(side)", on: photo.image.absoluteString), lane: .cpu, after: fullImage(of: photo)
        ) { whole in
            let known = try whole.thumbnail(side: side)
            thumbnails.store(known, for: key, cost: known.image.body.readableBytes)
            return known
        }
    }
}

extension PhotoImageLoader.LoadedImage {
    init(_ image: MarsImage) {
        self.image = ImageLoader.LoadedImage(mediaType: image.format.mediaType, bytes: image.bytes)
        digest = SHA256.hash(data: image.bytes).prefix(8).hexString
    }

    fileprivate func thumbnail(side: Int) throws -> Self {
        guard let thumbnail = try Thumbnail(of: Array(image.body.readableBytesView), geometry: .centerSquare(side)) else { return self }
        return Self(image: ImageLoader.LoadedImage(mediaType: Thumbnail.mediaType, bytes: thumbnail.bytes), digest: digest)
    }
}
