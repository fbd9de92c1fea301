import HTTPTypes
import Hummingbird
import ServerSecurity
import ServerStartup

/// The route that selects a language: a form without scripts, answered with a cookie and a redirect back.
struct LanguageRoutes: Sendable {
    static let cookieName = "language"
    /// The lifetime of the cookie, in seconds.
    private static let cookieAge = 31_536_000
    /// The maximum length of the redirect path, in bytes.
    private static let pathLimit = 2_048

    /// Whether this server itself uses TLS.
    let isSecure: Bool

    func add(to router: Router<WindowContext>) {
        router.post("/language") { request, context in
            let body = try await request.readBody(upTo: context.maxUploadSize)
            return response(to: FormFields(String(buffer: body)), isSecure: isSecure || request.isFromSecurePage)
        }
    }

    /// Returns the redirect with the language cookie; an unsupported language sets no cookie.
    private func response(to fields: FormFields, isSecure: Bool) -> Response {
        var response = Response.redirect(to: Self.localPath(fields["back"]), type: .normal)
        if let language = fields["to"].flatMap({ Language(rawValue: $0) }) {
            response.setCookie(
                Cookie(
                    name: Self.cookieName, value: language.tag, maxAge: Self.cookieAge, path: "/", secure: isSecure, httpOnly: true,
                    sameSite: .lax))
        }
        return response
    }

    /// Returns a path on this server with its query; the start page for anything that browsers could resolve to another server.
    static func localPath(_ text: String?) -> String {
        guard let text, text.hasPrefix("/"), text.utf8.count <= pathLimit else { return "/" }
        // Browsers treat "//host" and "/\\host" as another server, and remove tabs and line breaks before that.
        let isPlain = text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\") }
        return isPlain && !text.hasPrefix("//") ? text : "/"
    }
}

extension Request {
    /// Whether the browser uses https; a proxy may have terminated TLS.
    ///
    /// A form has the `Origin` of its page. Of other requests, only those over https have `Sec-Fetch-Site`, and those to the browser's own machine.
    var isFromSecurePage: Bool {
        if let origin = headers[.origin] { return origin.lowercased().hasPrefix("https://") }
        guard headers[.secFetchSite] != nil, let host = head.authority.flatMap({ Authority($0) })?.host else { return false }
        return !ListenAddress.isLoopback(host)
    }
}
