import HTTPTypes
import LadingHTTP

/// A response of a `FirebaseServer`.
struct FirebaseResponse {
    var status: HTTPResponse.Status = .ok
    var fields: [(name: String, value: String)] = []
    var body: [UInt8] = []

    static func json(_ value: JSONValue, status: HTTPResponse.Status = .ok, fields: [(String, String)] = []) -> FirebaseResponse {
        FirebaseResponse(status: status, fields: [("Content-Type", "application/json")] + fields, body: Array(value.text.utf8))
    }

    /// Returns `{"error": …}`, the error format of the Realtime Database.
    static func databaseError(_ status: HTTPResponse.Status, _ reason: String) -> FirebaseResponse {
        json(["error": .string(reason)], status: status)
    }

    /// Returns `{"error": {"code": …, "message": …}}`, the error format of the other services.
    static func serviceError(_ status: HTTPResponse.Status, _ message: String) -> FirebaseResponse {
        json(["error": ["code": .integer(status.code), "message": .string(message)]], status: status)
    }

    var bytes: [UInt8] {
        let length = status == .noContent ? [] : [("Content-Length", "\(body.count)")]
        return Array(Self.head(status, fields + length).utf8) + body
    }

    static func head(_ status: HTTPResponse.Status, _ fields: [(name: String, value: String)]) -> String {
        // Without this field, a website could embed responses.
        let fields = fields + [("Cross-Origin-Resource-Policy", "same-origin")]
        return "HTTP/1.1 \(status.code) \(status.reasonPhrase)\r\n" + fields.map { "\($0.name): \($0.value)\r\n" }.joined() + "\r\n"
    }
}
