package import HTTPTypes
package import Hummingbird

/// The problem documents of requests below the path of the API that fail outside of its routes.
package struct UnroutedFailures: Sendable {
    private let routes: [(path: RouterPath, method: HTTPRequest.Method)]

    /// - Parameter context: The context of the API's requests.
    package init<Context: OrderAPIContext>(of api: OrderAPI, _ context: Context.Type) {
        let router = Router(context: context)
        api.add(to: router)
        routes = router.routes.map { ($0.path, $0.method) }
    }

    /// Returns the response to a request that failed; nil for one outside of the API. A method that the path does not have gets status 405.
    ///
    /// None of the problems is final, because no route has decided the request: a server of another release, or with other options, may accept it.
    ///
    /// - Parameter detail: Nil for the reason phrase of the status.
    package func response(_ status: HTTPResponse.Status, fields: HTTPFields, detail: String?, to request: Request) -> Response? {
        let path = request.uri.path
        guard path == OrderAPI.path || path.hasPrefix("\(OrderAPI.path)/") else { return nil }
        return switch status {
        case .notFound, .methodNotAllowed: unrouted(request.method, path).response
        default:
            APIProblem("http", status, status.reasonPhrase, detail ?? status.reasonPhrase, isFinal: false, fields: fields).response
        }
    }

    private func unrouted(_ method: HTTPRequest.Method, _ path: String) -> APIProblem {
        let allowed = allowedMethods(at: path)
        guard !allowed.isEmpty, !allowed.contains(method) else {
            return APIProblem(
                "not-found", .notFound, "No such path", "The API has no such path: \(OrderAPI.path)/openapi.json lists all.", isFinal: false
            )
        }
        let names = allowed.map(\.rawValue).joined(separator: ", ")
        return APIProblem(
            "method-not-allowed", .methodNotAllowed, "The path does not have this method", "Use one of \(names).", isFinal: false,
            fields: [.allow: names])
    }

    /// Returns the methods of a path; none for a path without a route.
    private func allowedMethods(at path: String) -> [HTTPRequest.Method] {
        let parts = path.split(separator: "/")
        let found = Set(routes.filter { Self.matches($0.path, parts) }.map(\.method))
        // The router answers HEAD where it has GET.
        return OrderAPI.methods.filter { found.contains($0) || $0 == .head && found.contains(.get) }
    }

    private static func matches(_ path: RouterPath, _ parts: [Substring]) -> Bool {
        path.components.count == parts.count && zip(path.components, parts).allSatisfy { $0 ~= $1 }
    }
}
