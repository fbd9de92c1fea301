import HTTPTypes
import Hummingbird

extension Response {
    /// Returns a page of HTML, rendered for each request, in a language negotiated with the client.
    ///
    /// `Vary: *` prevents reuse (RFC 9110 §12.5.5): a duplicated tab must not share the session of the original.
    static func page(_ html: String, in language: Language, status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status,
            headers: [
                .contentType: "text/html; charset=utf-8", .cacheControl: "private, no-cache", .contentLanguage: language.tag,
                .vary: "Accept-Language, Cookie, *",
            ],
            body: ResponseBody(byteBuffer: ByteBuffer(string: html)))
    }

    /// The delay before a failed page reloads, in seconds.
    private static let reloadDelay = 5

    /// Returns the page with a `Refresh` header if its server is unreachable, so that it reloads even without scripts.
    ///
    /// - Parameter error: The error of the page; nil for none.
    consuming func reloading(after error: (any Error)?) -> Response {
        guard error?.isNetworkFailure == true else { return self }
        headers[.refresh] = "\(Self.reloadDelay)"
        headers[.retryAfter] = "\(Self.reloadDelay)"
        return self
    }

    /// Returns a response with a fixed body.
    static func file(_ bytes: ByteBuffer, mediaType: String, cacheControl: String) -> Response {
        Response(
            status: .ok, headers: [.contentType: mediaType, .cacheControl: cacheControl],
            body: ResponseBody(byteBuffer: bytes))
    }

    /// Returns an image from another server, sandboxed in case it is opened directly.
    static func image(_ picture: ImageLoader.LoadedImage, cacheControl: String) -> Response {
        Self.image(picture, headers: [.cacheControl: cacheControl])
    }

    /// Returns an image from another server with additional header fields.
    static func image(_ picture: ImageLoader.LoadedImage, headers: HTTPFields) -> Response {
        var response = Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: picture.body))
        response.headers[.contentType] = picture.mediaType
        response.headers[.contentSecurityPolicy] = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
        return response
    }
}

extension HTTPField.Name {
    /// The header that reloads a page after a delay (WHATWG HTML, "The Refresh header").
    fileprivate static let refresh = HTTPField.Name("Refresh")!
}

extension Request {
    /// Whether the client runs no scripts: by its own request, or because it accepts no HTML.
    var wantsPlainPage: Bool {
        uri.queryParameters["plain"] == "1" || headers[.accept]?.contains("text/html") != true
    }
}
