import HTTPTypes
import Hummingbird
import ServerStartup

/// Refuses requests that name another host than this machine, for a window that only this machine can reach.
///
/// The page of a stranger can let a name of its own lead to 127.0.0.1 after the browser has loaded it (DNS rebinding), and would then pass for a page of
/// this server. The name it asks for gives it away.
struct LocalHost<Context: RequestContext>: RouterMiddleware {
    @concurrent
    func handle(
        _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard let host = request.head.authority.flatMap({ Authority($0) })?.host, ListenAddress.isLoopback(host) else {
            throw Refusal.foreignHost
        }
        return try await next(request, context)
    }
}
