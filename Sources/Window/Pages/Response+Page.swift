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

    /// Bytes that stay the same for a while.
    static func file(_ bytes: [UInt8], mediaType: String, cacheControl: String) -> Response {
        Response(
            status: .ok, headers: [.contentType: mediaType, .cacheControl: cacheControl],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }
}
