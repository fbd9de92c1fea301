import Foundation
import Hummingbird
import LadingOperations
import MarsPhotos

/// The images of photos: thumbnails and unchanged originals.
struct PhotoImageRoutes: Sendable {
    let repository: PhotoRepository

    func add(to router: Router<WindowContext>) {
        router.get("/photos/:rover/:sol/:photo/picture") { request, context in
            let (id, fields) = (try context.photo, FormFields(request.uri.query ?? ""))
            let query = SolQuery(id.rover, sol: id.sol, camera: fields["camera"])
            guard let photo = try await repository.photo(id, in: query) else { throw PageError.noSuchPhoto }
            return try await image(of: photo, side: fields["size"].flatMap { Int($0) }, version: fields["v"])
        }
    }

    private func image(of photo: MarsPhoto, side: Int?, version: String?) async throws -> Response {
        let side = side.map { requested in
            PhotoImageLoader.thumbnailSides.first { $0 >= requested }
                ?? PhotoImageLoader.thumbnailSides[PhotoImageLoader.thumbnailSides.count - 1]
        }
        let load = side.map { repository.images.thumbnail(of: photo, side: $0) } ?? repository.images.fullImage(of: photo)
        let loaded = try await repository.queue.value(of: load, priority: .visible)
        return .image(loaded.image, cacheControl: cacheControl(of: photo, loaded, version))
    }

    /// Returns the caching policy: images requested by their digest never change, by their URL rarely; all others are not cached.
    private func cacheControl(of photo: MarsPhoto, _ loaded: PhotoImageLoader.LoadedImage, _ version: String?) -> String {
        switch version {
        case loaded.digest: "private, max-age=31536000, immutable"
        case photo.image.absoluteString.fingerprint: "private, max-age=86400"
        default: "no-store"
        }
    }
}
