import Foundation
import Hummingbird
import LadingOperations
import MarsPhotos

/// The pictures of photos: thumbnails, and whole as they came.
struct PhotoPictureRoutes: Sendable {
    let board: PhotoBoard

    func add(to router: Router<WindowContext>) {
        router.get("/photos/:rover/:sol/:photo/picture") { request, context in
            let (id, fields) = (try context.photo, FormFields(request.uri.query ?? ""))
            let query = SolQuery(id.rover, sol: id.sol, camera: fields["camera"])
            guard let photo = try await board.photo(id, of: query) else { throw Refusal.noSuchPhoto }
            return try await picture(of: photo, side: fields["size"].flatMap { Int($0) }, version: fields["v"])
        }
    }

    private func picture(of photo: MarsPhoto, side: Int?, version: String?) async throws -> Response {
        let side = side.map { wanted in PhotoPictures.sides.first { $0 >= wanted } ?? PhotoPictures.sides[PhotoPictures.sides.count - 1] }
        let load = side.map { board.pictures.thumbnail(of: photo, side: $0) } ?? board.pictures.whole(photo)
        let known = try await board.queue.value(of: load, priority: .visible)
        return .picture(known.picture, cacheControl: cacheControl(of: photo, known, version))
    }

    /// What is asked for by what is in it never changes. By where it came from it hardly does; by less nobody keeps it.
    private func cacheControl(of photo: MarsPhoto, _ known: PhotoPictures.Known, _ version: String?) -> String {
        switch version {
        case known.digest: "private, max-age=31536000, immutable"
        case photo.image.absoluteString.fingerprint: "private, max-age=86400"
        default: "no-store"
        }
    }
}
