import HTTPTypes
import Hummingbird
import NIOCore

/// The routes of the rovers' photos in the formats of three services, and of their images.
///
/// | path | response |
/// |---|---|
/// | `/mars-photos/api/v1/rovers`, `…/rovers/curiosity` | `{"rovers":[…]}`, `{"rover":{…}}` |
/// | `/mars-photos/api/v1/manifests/curiosity` | `{"photo_manifest":{…,"photos":[{"sol":0,…}]}}` |
/// | `/mars-photos/api/v1/rovers/curiosity/photos?sol=1000` | `{"photos":[…]}`, optionally a page of 25 (`&page=1`, `&per_page=50`) and of one camera
/// (`&camera=fhaz`) |
/// | `/mars-photos/api/v1/rovers/curiosity/latest_photos` | `{"latest_photos":[…]}`, with the same options |
/// | `/api/v1/raw_image_items/?…` | `{"items":[…],"more":…}`, raw images of Curiosity |
/// | `/rss/api/?feed=raw_images&category=mars2020&…` | `{"images":[…]}`, raw images of Perseverance |
/// | `/mars-photos/images/curiosity/1000/FHAZ-3.jpg` | JPEG, sometimes PNG |
struct PhotoRoutes: Sendable {
    private let solCatalog: SolCatalogCache
    private let images: ImageCache

    init(solCatalog: SolCatalogCache, images: ImageCache) {
        self.solCatalog = solCatalog
        self.images = images
    }

    func add(to router: some RouterMethods<OriginContext>) {
        router.get("\(PhotoPath.service)/rovers") { request, context in
            try await respond(request, context) { contents in PhotoDocuments.rovers(contents.catalog) }
        }
        router.get("\(PhotoPath.service)/rovers/:rover") { request, context in
            try await respond(request, context) { contents in PhotoDocuments.rover(contents.catalog[try context.rover]) }
        }
        router.get("\(PhotoPath.service)/manifests/:rover") { request, context in
            do {
                let rover = try context.rover
                return try await solCatalog.contents.manifests[rover]?.response(from: request, context: context)
                    ?? Response(status: .notFound)
            } catch let error as PhotoQuery.InvalidRequest {
                return Response(error)
            }
        }
        router.get("\(PhotoPath.service)/rovers/:rover/photos") { request, context in
            let address = try imageBaseURL(for: request)
            return try await respond(request, context) { contents in
                let sols = contents.catalog[try context.rover]
                return PhotoDocuments.photos(try PhotoQuery(request.uri.queryParameters).photos(of: sols), imageBaseURL: address)
            }
        }
        router.get("\(PhotoPath.service)/rovers/:rover/latest_photos") { request, context in
            let address = try imageBaseURL(for: request)
            return try await respond(request, context) { contents in
                let newest = contents.catalog[try context.rover].sols.suffix(1)
                let query = request.uri.queryParameters
                let photos = PhotoQuery.photos(of: Array(newest), camera: query["camera"].map { $0.uppercased() })
                return PhotoDocuments.photos(try PhotoQuery.Page(query).slice(of: photos), as: "latest_photos", imageBaseURL: address)
            }
        }
        addRawImages(to: router)
        router.get("\(PhotoPath.images)/:rover/:sol/:fileName") { request, context in
            try await image(context).response(from: request, context: context)
        }
    }

    private func addRawImages(to router: some RouterMethods<OriginContext>) {
        router.get("\(PhotoPath.curiosityImages)") { request, context in
            let address = try imageBaseURL(for: request)
            return try await respond(request, context) { contents in
                let query = RawImageQuery(request.uri.queryParameters, pageSizeName: "per_page")
                let isKnown = query.mission == nil || query.mission == "msl"
                return RawImageDocuments.items(
                    isKnown ? query.page(of: contents.catalog[.curiosity]) : ([], 0), of: query, imageBaseURL: address)
            }
        }
        router.get("\(PhotoPath.perseveranceImages)") { request, context in
            let address = try imageBaseURL(for: request)
            return try await respond(request, context) { contents in
                let query = RawImageQuery(request.uri.queryParameters, pageSizeName: "num")
                return RawImageDocuments.images(query.page(of: contents.catalog[.perseverance]), of: query, imageBaseURL: address)
            }
        }
    }

    private func respond(
        _ request: Request, _ context: OriginContext, _ document: (SolCatalogCache.Contents) throws -> ByteBuffer
    ) async throws -> Response {
        do {
            let contents = try await solCatalog.contents
            return Representation(try document(contents), of: .photos, lastModified: contents.lastModified)
                .response(from: request, context: context)
        } catch let rejection as PhotoQuery.InvalidRequest {
            return Response(rejection)
        }
    }

    private func image(_ context: OriginContext) async throws -> Representation {
        let parameters = context.parameters
        let requested = PhotoImage(
            rover: try parameters.require("rover"), sol: try parameters.require("sol"), fileName: try parameters.require("fileName"))
        guard let requested, let sol = try await solCatalog.contents.catalog[requested.rover][requested.sol],
            let cameraCount = sol.cameraCounts.first(where: { $0.camera == requested.camera }), requested.index < cameraCount.count
        else { throw HTTPError(.notFound) }
        return images.image(for: requested)
    }

    private func imageBaseURL(for request: Request) throws -> String {
        "\(try PublicAddress.address(of: request).text)\(PhotoPath.images)/"
    }
}

extension OriginContext {
    /// The rover in the path.
    fileprivate var rover: MarsRover {
        get throws {
            guard let rover = MarsRover(name: try parameters.require("rover")) else {
                throw PhotoQuery.InvalidRequest(reason: "Invalid Rover Name")
            }
            return rover
        }
    }
}

extension Response {
    fileprivate init(_ rejection: PhotoQuery.InvalidRequest) {
        let body = ResponseBody(byteBuffer: PhotoDocuments.errors(rejection.reason))
        self.init(status: .badRequest, headers: [.contentType: "application/json", .cacheControl: "no-store"], body: body)
    }
}
