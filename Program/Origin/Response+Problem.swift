import HTTPTypes
import Hummingbird
import JSONWriting
import NIOCore

extension Response {
    /// Returns a problem document, `application/problem+json` (RFC 9457), that caches do not store.
    ///
    /// - Parameter fields: Additional fields of the response.
    static func problem(_ status: HTTPResponse.Status, title: String, detail: String, fields: HTTPFields = [:]) -> Response {
        var json = JSONWriter(.unicode)
        json.object { json in
            json.field("title", title)
            json.field("detail", detail)
            json.field("status", number: status.code)
        }
        var headers = fields
        headers[.contentType] = "application/problem+json"
        headers[.cacheControl] = "no-store"
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: json.text + "\n")))
    }
}
