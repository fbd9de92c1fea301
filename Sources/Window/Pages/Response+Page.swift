import HTTPTypes
import Hummingbird

extension Response {
    /// A page of HTML; it is different each time.
    static func page(_ html: String, status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status,
            headers: [.contentType: "text/html; charset=utf-8", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: html)))
    }

    /// Bytes that stay the same for a while.
    static func file(_ bytes: [UInt8], mediaType: String, cacheControl: String) -> Response {
        Response(
            status: .ok, headers: [.contentType: mediaType, .cacheControl: cacheControl],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }
}
