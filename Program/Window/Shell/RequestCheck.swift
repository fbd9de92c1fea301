import Hummingbird
import ServerSecurity

/// A middleware that refuses requests with a foreign `Host`, and cross-origin requests that change data.
struct RequestCheck<Context: RequestContext>: RouterMiddleware {
    let hosts: AllowedHosts

    @concurrent
    func handle(
        _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        if let rejection = hosts.rejection(of: request.head) { throw PageError(rejection) }
        return try await next(request, context)
    }
}

extension PageError {
    fileprivate init(_ rejection: RequestRejection) {
        self =
            switch rejection {
            case .invalidHost: .malformedRequest
            case .hostNotAllowed: .hostNotAllowed
            case .crossOrigin: .crossOrigin
            }
    }
}
