import LadingFeeds
import LadingOperations
import MarsPhotos

/// A feed of the photos of a sol for a grid: the list, then the thumbnail of each photo.
///
/// A row has only the digest of a loaded thumbnail; `PhotoImageLoader` caches its bytes.
struct PhotoCellFeed: Feed {
    private let photos: PhotoFeed
    private let images: PhotoImageLoader

    init(_ photos: PhotoFeed, images: PhotoImageLoader) {
        self.photos = photos
        self.images = images
    }

    func list() -> BackendOperation<FetchedList<MarsPhoto>> { photos.list() }

    func load(_ photo: MarsPhoto) -> BackendOperation<PhotoCell> {
        BackendOperation("cell \(photo.id)", lane: .cpu, after: images.thumbnail(of: photo, side: PhotoImageLoader.cellSide)) {
            PhotoCell(digest: $0.digest)
        }
    }
}

/// A cell with an available thumbnail.
struct PhotoCell: Hashable, Sendable {
    /// The digest of the image.
    let digest: String
}

/// The identity and digest of a cell, the key of its rendering.
struct PhotoVersion: Hashable, Sendable {
    let id: MarsPhotoID
    let digest: String
    /// The camera that the grid is filtered by, which is part of the cell's link; nil for all.
    let camera: String?
}
