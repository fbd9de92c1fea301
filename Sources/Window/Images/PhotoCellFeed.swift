import LadingFeeds
import LadingOperations
import MarsPhotos

/// The photos of a sol as a grid shows them: the list, then for each photo its thumbnail.
///
/// A row says that the thumbnail is there, and which it is; its bytes are kept by `PhotoImageLoader`.
struct PhotoCellFeed: Feed {
    private let photos: PhotoFeed
    private let images: PhotoImageLoader

    init(_ photos: PhotoFeed, images: PhotoImageLoader) {
        self.photos = photos
        self.images = images
    }

    func list() -> BackendOperation<[MarsPhoto]> { photos.list() }

    func load(_ photo: MarsPhoto) -> BackendOperation<PhotoCell> {
        BackendOperation("cell \(photo.id)", lane: .cpu, after: images.thumbnail(of: photo, side: PhotoImageLoader.cellSide)) {
            PhotoCell(digest: $0.digest)
        }
    }
}

/// A cell whose picture can be had.
struct PhotoCell: Hashable, Sendable {
    /// Tells the picture from any other.
    let digest: String
}

/// A cell with its picture: what a rendering of it is good for.
struct PhotoVersion: Hashable, Sendable {
    let id: MarsPhotoID
    let digest: String
    /// The one that the grid shows alone, to whose photos the cell leads; nil for all.
    let camera: String?
}
