import ContentCoding
import HTTPTypes
import Hummingbird

/// The routes without user data: the start page, the state of the window, the assets and the map tiles.
struct StaticRoutes: Sendable {
    private static let assetCacheControl = "public, max-age=31536000, immutable"

    let renderer: PageRenderer
    let assets: AssetStore
    let tiles: MapTiles
    /// Nil where nobody can sign in.
    let account: AccountRoutes?
    let operations: OperationAccess

    func add(to router: Router<WindowContext>) {
        router.get("/") { request, _ in await start(request) }
        router.get("/health") { _, _ in "ok" }
        router.get("/ready") { _, _ in await readiness() }
        router.get("/assets/:version/:name") { request, context in
            try asset(
                context.parameters.require("version"), context.parameters.require("name"),
                for: AcceptEncoding(request.headers[.acceptEncoding]))
        }
        router.get("/tiles/:zoom/:x/:y") { _, context in
            try await tile(
                zoom: context.parameters.require("zoom", as: Int.self), x: context.parameters.require("x", as: Int.self),
                y: context.parameters.require("y", as: Int.self))
        }
    }

    private func start(_ request: Request) async -> Response {
        let language = request.language
        let texts = LocalizedStrings(language)
        let context = TemplateContext.Start(
            version: renderer.version, signInURL: account.map { _ in AccountRoutes.path }, account: await account?.startAccount(request),
            operationsURL: operations.isOpen(to: request) ? OperationRoutes.path : nil, languages: .init(of: language, back: "/"),
            texts: texts)
        return .page(renderer.page(.start, context, title: texts.productName, in: language), in: language)
    }

    /// Returns whether the origin can answer requests now, for load balancers. Without an origin, a window that runs is ready.
    private func readiness() async -> Response {
        let isReady = await account?.service.api.isOriginReady() ?? true
        return Response(
            status: isReady ? .ok : .serviceUnavailable, headers: [.contentType: "text/plain; charset=utf-8", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: isReady ? "ready" : "the server cannot answer requests")))
    }

    /// Returns an asset of the current version; others are refused, because they would be cached permanently under the wrong version.
    private func asset(_ version: String, _ name: String, for accepted: AcceptEncoding) throws -> Response {
        guard version == assets.version, let asset = assets[name] else { throw HTTPError(.notFound) }
        guard let gzipped = asset.gzipped else {
            return .file(asset.bytes, mediaType: asset.mediaType, cacheControl: Self.assetCacheControl)
        }
        let coding = accepted.preferredCoding()
        var response = Response.file(
            coding == .gzip ? gzipped : asset.bytes, mediaType: asset.mediaType, cacheControl: Self.assetCacheControl)
        if coding == .gzip { response.headers[.contentEncoding] = coding.rawValue }
        response.headers[.vary] = "Accept-Encoding"
        return response
    }

    private func tile(zoom: Int, x: Int, y: Int) async throws -> Response {
        guard let tile = Tile(zoom: zoom, x: x, y: y) else { throw HTTPError(.notFound) }
        return try await tiles.response(for: tile)
    }
}
