public import LadingOperations

/// A source of photos: the adapter to the URLs and documents of one kind of service.
///
/// ```swift
/// let source = PhotoSourceKind.v1.source(at: url, client: client)
/// let sol = try await queue.value(of: source.photos(of: SolQuery(.curiosity, sol: 1000)), priority: .visible)
/// ```
///
/// Its operations fail with `PhotoError` when a service reports an unknown rover, otherwise with `BackendError`.
public protocol PhotoSource: Sendable {
    /// Returns an operation that lists the rovers of the service.
    func rovers() -> BackendOperation<[RoverProfile]>
    /// Returns an operation that loads the sols of a rover; nil from services without a manifest.
    func manifest(of rover: Rover) -> BackendOperation<RoverManifest?>
    /// Returns an operation that loads all photos of a sol; empty when it has none.
    func photos(of query: SolQuery) -> BackendOperation<SolPhotos>
    /// Returns an operation that loads one page of a sol, counted from 0, with the page length of the service.
    func page(_ number: Int, of query: SolQuery) -> BackendOperation<PhotoPage>
    /// Returns an operation that finds the nearest sols with photos before and after one.
    func adjacentSols(to sol: Sol, of rover: Rover) -> BackendOperation<AdjacentSols>
    /// Returns an operation that loads a photo.
    func image(of photo: MarsPhoto, size: PhotoSize) -> BackendOperation<MarsImage>
}

/// The version of a photo that is loaded.
public enum PhotoSize: String, Hashable, Sendable {
    case full = "whole"
    /// The source's smaller version; the full image when there is none.
    case thumbnail
}

/// The photos of a sol, of all cameras or of one.
public struct SolQuery: Hashable, Sendable {
    /// The maximum length of a camera name, in characters.
    static let cameraLimit = 40

    public let rover: Rover
    public let sol: Sol
    /// The camera's code in upper case; nil for all.
    public let camera: String?

    /// Creates a query for the photos of a sol.
    ///
    /// - Parameter camera: The code of a camera, ignoring case; nil or empty for all.
    public init(_ rover: Rover, sol: Sol, camera: String? = nil) {
        self.rover = rover
        self.sol = sol
        self.camera = camera.flatMap { $0.isEmpty ? nil : String($0.prefix(Self.cameraLimit)).uppercased() }
    }
}

/// The photos of a sol in the order of the service, without duplicates.
public struct SolPhotos: Hashable, Sendable {
    /// The maximum number of photos of a sol; those beyond it count as skipped.
    public static let photoLimit = 20_000

    public let photos: [MarsPhoto]
    /// The number of entries that are invalid or beyond the limit.
    public let skipped: Int

    public init(_ photos: [MarsPhoto], skipped: Int = 0) {
        var seen: Set<MarsPhotoID> = []
        let distinct = photos.filter { seen.insert($0.id).inserted }
        self.photos = Array(distinct.prefix(Self.photoLimit))
        self.skipped = skipped + max(0, distinct.count - Self.photoLimit)
    }
}

/// A page of the photos of a sol.
public struct PhotoPage: Hashable, Sendable {
    public var photos: [MarsPhoto]
    /// The number of invalid entries of the page.
    public var skipped: Int
    /// Whether another page follows.
    public var hasMore: Bool

    public init(_ photos: [MarsPhoto], skipped: Int = 0, hasMore: Bool = false) {
        self.photos = photos
        self.skipped = skipped
        self.hasMore = hasMore
    }
}
