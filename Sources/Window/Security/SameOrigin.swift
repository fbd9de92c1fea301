import HTTPTypes
import Hummingbird

/// Refuses requests that change something unless a page of this server sent them.
///
/// The browser tells by `Sec-Fetch-Site`, older ones by `Origin`. A request with neither comes from no page: no browser can be
/// made to send it.
struct SameOrigin<Context: RequestContext>: RouterMiddleware {
    @concurrent
    func handle(
        _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard request.method == .get || request.method == .head || Self.isAllowed(request) else {
            throw Refusal.foreignPage
        }
        return try await next(request, context)
    }

    static func isAllowed(_ request: Request) -> Bool {
        if let site = request.headers[.secFetchSite] { return site == "same-origin" }
        guard let origin = request.headers[.origin] else { return true }
        guard let page = Authority(origin: origin), let server = request.head.authority.flatMap({ Authority($0) }) else { return false }
        // Not the scheme: a proxy in front may have taken off the TLS, so that the page knows of it and this server does not.
        return page == server
    }
}

extension HTTPField.Name {
    fileprivate static let secFetchSite = HTTPField.Name("Sec-Fetch-Site")!
}
