import Foundation

/// A request to a `FirebaseServer`, taken apart.
struct FirebaseQuestion {
    let request: ReceivedRequest
    /// Percent-encoded, without a slash at its beginning.
    let path: String
    /// The last value of each parameter.
    let query: [String: String]

    init(_ request: ReceivedRequest) {
        self.request = request
        let parts = URLComponents(string: request.target)
        path = String((parts?.percentEncodedPath ?? "").drop { $0 == "/" })
        query = Dictionary((parts?.queryItems ?? []).map { ($0.name, $0.value ?? "") }) { $1 }
    }

    var method: String { request.method }
    var body: [UInt8] { request.body }

    subscript(field: String) -> String? { request[field] }

    /// What stands behind the name of a scheme in `Authorization`.
    func credential(_ schemes: String...) -> String? {
        let words = (request["Authorization"] ?? "").split(separator: " ").map(String.init)
        return words.count == 2 && schemes.contains(words[0]) ? words[1] : nil
    }
}
