public import LadingOperations

/// Where photos come from: the shape of one service, behind which its addresses and documents lie.
///
/// ```swift
/// let source = PhotoSourceKind.v1.source(at: url, client: client)
/// let sol = try await queue.value(of: source.photos(of: SolQuery(.curiosity, sol: 1000)), priority: .visible)
/// ```
///
/// Its operations fail with `PhotoError` where a service says that there is no such rover, otherwise with `BackendError`.
public protocol PhotoSource: Sendable {
    /// An operation that lists the rovers whose photos the service has.
    func rovers() -> BackendOperation<[RoverProfile]>
    /// An operation that gives the sols of a rover; nil from services that have no manifest.
    func manifest(of rover: Rover) -> BackendOperation<RoverManifest?>
    /// An operation that gives all photos of a sol; none when it has none.
    func photos(of query: SolQuery) -> BackendOperation<SolPhotos>
    /// An operation that gives one page of a sol, counted from 0, in pages as long as the service makes them.
    func page(_ number: Int, of query: SolQuery) -> BackendOperation<PhotoPage>
    /// An operation that finds the sols with photos on either side of one.
    func adjacentSols(to sol: Sol, of rover: Rover) -> BackendOperation<AdjacentSols>
    /// An operation that loads a photo.
    func image(of photo: MarsPhoto, size: PhotoSize) -> BackendOperation<MarsImage>
}

/// How large a version of a photo is wanted.
public enum PhotoSize: String, Hashable, Sendable {
    case full = "whole"
    /// The small version of the source; the whole photo where there is none.
    case thumbnail
}

/// Which photos are wanted: those of a sol, of all cameras or of one.
public struct SolQuery: Hashable, Sendable {
    /// The longest name of a camera, in characters.
    static let cameraLimit = 40

    public let rover: Rover
    public let sol: Sol
    /// In upper case; nil for all.
    public let camera: String?

    /// - Parameter camera: The code of a camera, in any case; nil or empty for all.
    public init(_ rover: Rover, sol: Sol, camera: String? = nil) {
        self.rover = rover
        self.sol = sol
        self.camera = camera.flatMap { $0.isEmpty ? nil : String($0.prefix(Self.cameraLimit)).uppercased() }
    }
}

/// The photos of a sol, in the order of the service, each identity once.
public struct SolPhotos: Hashable, Sendable {
    /// The most photos of a sol; those beyond are counted as skipped.
    public static let photoLimit = 20_000

    public let photos: [MarsPhoto]
    /// How many entries of the list made no sense, and were left out.
    public let skipped: Int

    public init(_ photos: [MarsPhoto], skipped: Int = 0) {
        var seen: Set<MarsPhotoID> = []
        let distinct = photos.filter { seen.insert($0.id).inserted }
        self.photos = Array(distinct.prefix(Self.photoLimit))
        self.skipped = skipped + max(0, distinct.count - Self.photoLimit)
    }
}

/// Some of the photos of a sol.
public struct PhotoPage: Hashable, Sendable {
    public var photos: [MarsPhoto]
    /// How many entries of the page made no sense, and were left out.
    public var skipped: Int
    /// Whether a page follows.
    public var hasMore: Bool

    public init(_ photos: [MarsPhoto], skipped: Int = 0, hasMore: Bool = false) {
        self.photos = photos
        self.skipped = skipped
        self.hasMore = hasMore
    }
}
