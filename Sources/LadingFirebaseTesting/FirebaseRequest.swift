import Foundation
import ScriptedServers

/// A parsed request to a `FirebaseServer`.
struct FirebaseRequest {
    let received: ReceivedRequest
    /// The percent-encoded path, without a leading slash.
    let path: String
    /// The last value of each parameter.
    let query: [String: String]

    init(_ request: ReceivedRequest) {
        self.received = request
        let parts = URLComponents(string: request.target)
        path = String((parts?.percentEncodedPath ?? "").drop { $0 == "/" })
        let items = parts?.percentEncodedQueryItems ?? []
        query = Dictionary(items.map { (Self.decoded($0.name), Self.decoded($0.value ?? "")) }) { $1 }
    }

    /// Decodes a name or a value of a query, in which `+` is a space as in a form.
    private static func decoded(_ text: String) -> String {
        let text = text.replacing("+", with: " ")
        return text.removingPercentEncoding ?? text
    }

    var method: String { received.method }
    var body: [UInt8] { received.body }

    subscript(field: String) -> String? { received[field] }

    /// Returns the credential of a scheme in `Authorization`.
    func credential(_ schemes: String...) -> String? {
        let words = (received["Authorization"] ?? "").split(separator: " ").map(String.init)
        return words.count == 2 && schemes.contains(words[0]) ? words[1] : nil
    }
}
