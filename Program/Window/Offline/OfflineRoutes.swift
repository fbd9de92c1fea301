import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// The routes of the installable app: its service worker, its manifest, and the page shown offline for uncached URLs.
struct OfflineRoutes: Sendable {
    /// The caching policy, by which browsers revalidate these responses every time.
    private static let cacheControl = "no-cache"

    /// The names of the assets that no page with a worker needs offline: the script of the page of operations, the one that sends writes without a worker,
    /// and the bitmaps of the installed app's icon.
    static let networkOnlyAssets: Set<String> = [
        "operations.js", "writes.js", "app-192.png", "app-512.png", "app-maskable-512.png", "app-touch-180.png",
    ]

    let renderer: PageRenderer
    let assets: AssetStore

    func add(to router: Router<WindowContext>) {
        router.get("/worker.js") { _, _ in
            var response = Response.file(
                ByteBuffer(string: worker), mediaType: "text/javascript; charset=utf-8", cacheControl: Self.cacheControl)
            response.headers[.contentSecurityPolicy] = ContentSecurityPolicy.page
            return response
        }
        router.get("/manifest.webmanifest") { request, _ in try manifest(in: request.language) }
        router.get("/offline") { request, _ in offline(in: request.language) }
    }

    /// The worker's script. It contains the version of the assets, so that browsers install a new worker for each version.
    private var worker: String {
        """
        import { serve } from "/assets/\(assets.version)/worker.js";
        serve(\(assets.appShell));

        """
    }

    private func manifest(in language: Language) throws -> Response {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let manifest = try encoder.encode(WebManifest(in: language, version: assets.version))
        var response = Response.file(ByteBuffer(bytes: manifest), mediaType: "application/manifest+json", cacheControl: Self.cacheControl)
        response.headers[.contentLanguage] = language.tag
        response.headers[.vary] = "Accept-Language, Cookie"
        return response
    }

    private func offline(in language: Language) -> Response {
        let texts = LocalizedStrings(language)
        let context = TemplateContext.Problem(
            heading: texts.notCachedTitle, message: texts.notCached, href: "/orders", linkText: texts.viewOrders, texts: texts)
        return .page(renderer.page(.offline, context, title: texts.productName, in: language), in: language)
    }
}
