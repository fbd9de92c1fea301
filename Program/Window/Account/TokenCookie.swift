import HTTPTypes
import Hummingbird
import ServerSecurity

/// The cookie with the token of a person, which scripts cannot read.
struct TokenCookie: Sendable {
    static let name = "token"
    /// The lifetime, in seconds: that of a token without use.
    private static let age = 90 * 86_400

    /// Whether this server itself uses TLS.
    let isSecure: Bool

    /// Returns a response that sets the cookie, or deletes it without a token.
    func set(to token: String?, in response: consuming Response, to request: Request) -> Response {
        response.setCookie(
            Cookie(
                name: Self.name, value: token ?? "", maxAge: token == nil ? 0 : Self.age, path: "/",
                secure: isSecure || request.isFromSecurePage, httpOnly: true, sameSite: .lax))
        return response
    }

    /// Returns a response to a signed-in person, whose use of the token extends it: a page that the person opens sets the cookie again.
    func renewed(in response: Response, to request: Request) -> Response {
        let isPage = response.status == .ok && response.headers[.contentType]?.hasPrefix("text/html") == true
        // A prefetched page may arrive after somebody else has signed in.
        guard isPage, request.method == .get, !request.isPrefetch else { return response }
        // Behind a proxy, Safari before 16.4 does not show whether it uses HTTPS: another cookie might lack `Secure`.
        guard isSecure || request.headers[.secFetchSite] != nil || !request.head.isForwarded else { return response }
        return set(to: request.token, in: response, to: request)
    }
}

extension Request {
    /// The token in the cookie.
    var token: String? { cookies[TokenCookie.name].map(\.value).flatMap { $0.isEmpty ? nil : $0 } }

    /// Whether the worker fetches a page for use offline, which needs no session.
    var isPrefetch: Bool { uri.queryParameters["offline"] == "1" }
}
