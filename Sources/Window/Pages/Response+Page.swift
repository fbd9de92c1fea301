import HTTPTypes
import Hummingbird

extension Response {
    /// A page of HTML, which is different each time, in a language that the client's wishes decided.
    ///
    /// It varies with everything (RFC 9110 §12.5.5): a tab that is duplicated must not take over the window of the tab it was made from.
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

    /// The same page, which loads itself again while the server that it needs does not answer; without scripts, too.
    ///
    /// - Parameter error: What kept the page from being made; nil for nothing.
    consuming func reloading(after error: (any Error)?) -> Response {
        guard error?.isNetworkFailure == true else { return self }
        headers[.refresh] = "\(Self.reloadDelay)"
        headers[.retryAfter] = "\(Self.reloadDelay)"
        return self
    }

    /// Bytes that stay the same for a while.
    static func file(_ bytes: ByteBuffer, mediaType: String, cacheControl: String) -> Response {
        Response(
            status: .ok, headers: [.contentType: mediaType, .cacheControl: cacheControl],
            body: ResponseBody(byteBuffer: bytes))
    }

    /// A picture as a server sent it, which gets no more rights than a picture has, wherever it is opened.
    static func image(_ picture: ImageLoader.LoadedImage, cacheControl: String) -> Response {
        Self.image(picture, headers: [.cacheControl: cacheControl])
    }

    /// The same, with further fields of the response.
    static func image(_ picture: ImageLoader.LoadedImage, headers: HTTPFields) -> Response {
        var response = Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: picture.bytes)))
        response.headers[.contentType] = picture.mediaType
        response.headers[.contentSecurityPolicy] = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
        return response
    }
}

extension HTTPField.Name {
    /// Loads a page again (WHATWG HTML, "The Refresh header").
    fileprivate static let refresh = HTTPField.Name("Refresh")!
}

extension Request {
    /// Whether the client runs no scripts: it said so, or it is no browser.
    var wantsPlainPage: Bool {
        uri.queryParameters["plain"] == "1" || headers[.accept]?.contains("text/html") != true
    }
}
