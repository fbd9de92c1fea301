import HTTPTypes
import Hummingbird

/// A middleware that adds security headers to every response, including errors.
struct PageHeaders<Context: RequestContext>: RouterMiddleware {
    @concurrent
    func handle(
        _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        let isPage = response.headers[.contentType]?.hasPrefix("text/html") == true
        if response.headers[.contentSecurityPolicy] == nil {
            response.headers[.contentSecurityPolicy] = isPage ? ContentSecurityPolicy.page : ContentSecurityPolicy.none
        }
        if isPage { response.headers[.referrerPolicy] = "same-origin" }
        response.headers[.xContentTypeOptions] = "nosniff"
        return response
    }
}

/// The values of `Content-Security-Policy`.
enum ContentSecurityPolicy {
    /// The policy of pages and of the worker, whose requests obey the policy of its script.
    static let page = [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:", "connect-src 'self'",
        "manifest-src 'self'", "worker-src 'self'", "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'",
    ].joined(separator: "; ")
    /// The policy of all other responses, which load nothing when opened directly.
    static let none = "default-src 'none'"
}

extension HTTPField.Name {
    fileprivate static let referrerPolicy = HTTPField.Name("Referrer-Policy")!
}
