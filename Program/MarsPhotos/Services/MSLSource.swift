import Foundation
import LadingHTTP
import LadingOperations

/// The raw images of Curiosity: pages counted from 0, no manifest; adjacent sols are found by requesting one photo beyond the sol.
struct MSLSource: PhotoSource {
    /// The number of photos of a requested page.
    static let pageLength = 200
    /// The maximum number of pages of a sol.
    static let pageLimit = SolPhotos.photoLimit / pageLength

    private let service: PhotoService
    private let adjacentSolSearch: AdjacentSolSearch

    init(_ service: PhotoService) {
        self.service = service
        adjacentSolSearch = AdjacentSolSearch(rover: .curiosity) { condition in
            service.document(
                "find a sol", at: Self.url(service, order: condition.order, conditions: condition.clauses, perPage: 1, page: 0)
            ) {
                body throws(PhotoDocumentError) in try RawDocuments.firstSol(body, list: "items")
            }
        }
    }

    func rovers() -> BackendOperation<[RoverProfile]> { adjacentSolSearch.profiles() }

    func manifest(of rover: Rover) -> BackendOperation<RoverManifest?> { adjacentSolSearch.manifestUnavailable(for: rover) }

    func photos(of query: SolQuery) -> BackendOperation<SolPhotos> {
        let pages = pages(from: 0, of: query, after: [], skipped: 0)
        return BackendOperation("photos of sol \(query.sol)", lane: .cpu, after: pages) { rows in
            let rows = rows.withoutDuplicateThumbnails.filtered(by: query.camera)
            return SolPhotos(rows.photos, skipped: rows.skipped)
        }
    }

    func page(_ number: Int, of query: SolQuery) -> BackendOperation<PhotoPage> {
        BackendOperation("page \(number) of sol \(query.sol)", lane: .cpu, after: rows(number, of: query)) { rows in
            let filtered = rows.withoutDuplicateThumbnails.filtered(by: query.camera)
            return PhotoPage(filtered.photos, skipped: filtered.skipped, hasMore: rows.hasMore && number + 1 < Self.pageLimit)
        }
    }

    func adjacentSols(to sol: Sol, of rover: Rover) -> BackendOperation<AdjacentSols> { adjacentSolSearch.adjacentSols(to: sol, of: rover) }

    func image(of photo: MarsPhoto, size: PhotoSize) -> BackendOperation<MarsImage> { service.image(of: photo, size: size) }

    /// Returns an operation that loads pages until the last, or until they have as many entries as a sol may have.
    private func pages(from number: Int, of query: SolQuery, after previous: [PhotoRows.Row], skipped: Int) -> BackendOperation<PhotoRows> {
        BackendOperation(
            "pages of sol \(query.sol) from \(number)", lane: .cpu, after: rows(number, of: query),
            then: { rows in
                let all = PhotoRows(rows: previous + rows.rows, skipped: skipped + rows.skipped, hasMore: rows.hasMore)
                // A service may send more entries than requested.
                let isFull = all.rows.count + all.skipped >= SolPhotos.photoLimit
                guard rows.hasMore, !isFull, !rows.rows.isEmpty || rows.skipped > 0, number + 1 < Self.pageLimit else {
                    return BackendOperation("pages of sol \(query.sol)", result: .success(all))
                }
                return pages(from: number + 1, of: query, after: all.rows, skipped: all.skipped)
            })
    }

    private func rows(_ number: Int, of query: SolQuery) -> BackendOperation<PhotoRows> {
        if let unknownRover = adjacentSolSearch.unknownRoverOperation(for: query.rover, PhotoRows.self) { return unknownRover }
        let conditions = ["\(query.sol):sol:in"]
        let url = Self.url(service, order: "sol desc", conditions: conditions, perPage: Self.pageLength, page: number)
        let context = PhotoContext(query: query, document: service.base)
        return service.document("read photos of sol \(query.sol)", at: url) { body throws(PhotoDocumentError) in
            try RawDocuments.curiosity(body, in: context)
        }
    }

    private static func url(_ service: PhotoService, order: String, conditions: [String], perPage: Int, page: Int) -> URL {
        var query: URLQuery = ["order": "\(order)", "per_page": "\(perPage)", "page": "\(page)", "condition_1": "msl:mission"]
        for (index, condition) in conditions.enumerated() { query.append("condition_\(index + 2)", "\(condition)") }
        return service.url("/", query)
    }
}
