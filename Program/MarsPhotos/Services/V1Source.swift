import LadingHTTP
import LadingOperations

/// The Mars Photos API, version 1: a manifest for each rover, and the photos of a sol in one document or in pages of 25.
struct V1Source: PhotoSource {
    /// The page length of the service.
    static let pageLength = 25

    private let service: PhotoService

    init(_ service: PhotoService) {
        self.service = service
    }

    /// Returns an operation that lists the rovers; a host that answers 404 is assumed to have the usual ones.
    func rovers() -> BackendOperation<[RoverProfile]> {
        let list = service.document("read rovers", at: service.url("/rovers")) { body throws(PhotoDocumentError) in
            try V1Documents.rovers(body)
        }
        return BackendOperation("rovers", lane: .cpu, afterCompletionOf: [list]) { results in
            do {
                return try results[0].get()
            } catch {
                guard case BackendError.status(404, _, _) = OperationError.rootCause(of: error) else { throw error }
                return Rover.all.map { RoverProfile($0) }
            }
        }
    }

    func manifest(of rover: Rover) -> BackendOperation<RoverManifest?> {
        service.document("read manifest of \(rover)", at: service.url("/manifests/\(rover)")) { body throws(PhotoDocumentError) in
            try V1Documents.manifest(body, of: rover)
        }
    }

    func photos(of query: SolQuery) -> BackendOperation<SolPhotos> {
        let rows = rows(query, page: nil)
        return BackendOperation("photos of sol \(query.sol)", lane: .cpu, after: rows) { SolPhotos($0.photos, skipped: $0.skipped) }
    }

    func page(_ number: Int, of query: SolQuery) -> BackendOperation<PhotoPage> {
        BackendOperation("page \(number) of sol \(query.sol)", lane: .cpu, after: rows(query, page: number)) { rows in
            PhotoPage(rows.photos, skipped: rows.skipped, hasMore: rows.photos.count + rows.skipped >= Self.pageLength)
        }
    }

    func adjacentSols(to sol: Sol, of rover: Rover) -> BackendOperation<AdjacentSols> {
        BackendOperation("neighbours of sol \(sol)", lane: .cpu, after: manifest(of: rover)) { manifest in
            manifest?.adjacentSols(to: sol) ?? AdjacentSols()
        }
    }

    func image(of photo: MarsPhoto, size: PhotoSize) -> BackendOperation<MarsImage> { service.image(of: photo, size: size) }

    /// Returns an operation that reads the photos of a sol.
    ///
    /// - Parameter page: The page, counted from 0; nil for the whole sol.
    private func rows(_ query: SolQuery, page: Int?) -> BackendOperation<PhotoRows> {
        var parameters: URLQuery = ["sol": "\(query.sol)"]
        if let camera = query.camera { parameters.append("camera", "\(camera.lowercased())") }
        if let page { parameters.append("page", "\(page + 1)") }
        let url = service.url("/rovers/\(query.rover)/photos", parameters)
        let base = service.base
        return service.document("read photos of sol \(query.sol)", at: url) { body throws(PhotoDocumentError) in
            try V1Documents.photos(body, in: PhotoContext(query: query, document: base))
        }
    }
}
