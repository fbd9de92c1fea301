import Foundation
import LadingHTTP
import LadingOperations

/// The raw images of Perseverance: one document per sol, which the service generates slowly; no manifest.
struct Mars2020Source: PhotoSource {
    private let service: PhotoService
    private let adjacentSolSearch: AdjacentSolSearch

    init(_ service: PhotoService) {
        self.service = service
        adjacentSolSearch = AdjacentSolSearch(rover: .perseverance) { condition in
            var query: URLQuery = ["num": "1", "page": "0", "order": "\(condition.order)"]
            for (index, text) in condition.clauses.enumerated() { query.append("condition_\(index + 2)", "\(text)") }
            return service.document("find a sol", at: Self.url(service, query)) { body throws(PhotoDocumentError) in
                try RawDocuments.firstSol(body, list: "images")
            }
        }
    }

    func rovers() -> BackendOperation<[RoverProfile]> { adjacentSolSearch.profiles() }

    func manifest(of rover: Rover) -> BackendOperation<RoverManifest?> { adjacentSolSearch.manifestUnavailable(for: rover) }

    func photos(of query: SolQuery) -> BackendOperation<SolPhotos> {
        BackendOperation("photos of sol \(query.sol)", lane: .cpu, after: rows(of: query)) { rows in
            SolPhotos(rows.photos, skipped: rows.skipped)
        }
    }

    /// Returns the whole sol as page 0; other pages are empty.
    func page(_ number: Int, of query: SolQuery) -> BackendOperation<PhotoPage> {
        guard number == 0 else { return BackendOperation("page \(number) of sol \(query.sol)", result: .success(PhotoPage([]))) }
        return BackendOperation("page 0 of sol \(query.sol)", lane: .cpu, after: photos(of: query)) { sol in
            PhotoPage(sol.photos, skipped: sol.skipped)
        }
    }

    func adjacentSols(to sol: Sol, of rover: Rover) -> BackendOperation<AdjacentSols> { adjacentSolSearch.adjacentSols(to: sol, of: rover) }

    func image(of photo: MarsPhoto, size: PhotoSize) -> BackendOperation<MarsImage> { service.image(of: photo, size: size) }

    private func rows(of query: SolQuery) -> BackendOperation<PhotoRows> {
        if let unknownRover = adjacentSolSearch.unknownRoverOperation(for: query.rover, PhotoRows.self) { return unknownRover }
        let context = PhotoContext(query: query, document: service.base)
        let document = service.document("read photos of sol \(query.sol)", at: Self.url(service, ["sol": "\(query.sol)"])) {
            body throws(PhotoDocumentError) in try RawDocuments.perseverance(body, in: context)
        }
        return BackendOperation("choose photos of sol \(query.sol)", lane: .cpu, after: document) {
            $0.withoutDuplicateThumbnails.filtered(by: query.camera)
        }
    }

    private static func url(_ service: PhotoService, _ parameters: URLQuery) -> URL {
        var query: URLQuery = ["feed": "raw_images", "category": "mars2020", "feedtype": "json"]
        query.items += parameters.items
        return service.url("/", query)
    }
}
