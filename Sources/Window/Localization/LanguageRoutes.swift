import HTTPTypes
import Hummingbird

/// The choice of a language by hand: a form that works without scripts, answered with a cookie and the way back.
struct LanguageRoutes: Sendable {
    static let cookieName = "language"
    /// How long a choice is remembered, in seconds.
    private static let cookieAge = 31_536_000
    /// The longest way back, in bytes.
    private static let pathLimit = 2_048

    /// Whether this server itself speaks TLS.
    let isSecure: Bool

    func add(to router: Router<WindowContext>) {
        router.post("/language") { request, context in
            let body = try await request.body.collect(upTo: context.maxUploadSize)
            return response(to: FormFields(String(buffer: body)), isSecure: isSecure || request.isFromSecurePage)
        }
    }

    /// A language that is not spoken here changes nothing.
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

    /// A path on this server with its query; the start page in place of all that leads, or could be taken to lead, anywhere else.
    static func localPath(_ text: String?) -> String {
        guard let text, text.hasPrefix("/"), text.utf8.count <= pathLimit else { return "/" }
        // Browsers read "//host" and "/\\host" as another server, and leave out tabs and line ends before they do.
        let isPlain = text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\") }
        return isPlain && !text.hasPrefix("//") ? text : "/"
    }
}

extension Request {
    /// Whether the page that sent it was loaded over https; a proxy in front may have taken off the TLS.
    fileprivate var isFromSecurePage: Bool { headers[.origin]?.lowercased().hasPrefix("https://") == true }
}
