import Foundation
import HTTPTypes
import LadingHTTP
import LadingNIO
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A server of the program, and its API.
struct OrderAPIServer {
    let address: String
    let folder: URL
    /// The variables of the server, which commands need too.
    var environment: [String: String] = [:]

    func api(_ path: String) -> URL { URL(string: "\(address)/api/v1/\(path)")! }

    /// Adds a person by the command line, and returns a token.
    func signIn(_ name: String, isDispatcher: Bool = false) async throws -> String {
        // The directory would be used in place of the database that its server shares with others.
        let place = environment["LADING_DATABASE"] == nil ? ["--data", folder.path] : []
        let added = try await Program.run(
            ["people", "add", name] + place + (isDispatcher ? ["--dispatcher"] : []), environment: environment)
        return try await exchangeLink(in: added)
    }

    /// Exchanges the link that a command has printed for a token.
    func exchangeLink(in added: Program.Outcome) async throws -> String {
        let link = try #require(added.output.split(separator: "\n").first?.split(separator: "#").last)
        let answer = try await post("sign-in", nil, body: #"{"secret":"\#(link)"}"#)
        return try #require(answer.json["token"] as? String)
    }

    func post(
        _ path: String, _ token: String?, key: String = UUID().uuidString, fence: Int? = nil, body: String = "{}"
    ) async throws -> (status: Int, json: [String: Any]) {
        var request = URLRequest(url: api(path))
        request.httpMethod = "POST"
        request.httpBody = Data(body.utf8)
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.setValue(key, forHTTPHeaderField: "Idempotency-Key")
        if let fence { request.setValue("\"\(fence)\"", forHTTPHeaderField: "If-Match") }
        if let token { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
        let (data, response) = try await URLSession.shared.data(for: request)
        let json = try? JSONSerialization.jsonObject(with: data) as? [String: Any]
        return ((response as? HTTPURLResponse)?.statusCode ?? 0, json ?? [:])
    }

    /// Uploads a photo and returns the status.
    func put(_ path: String, _ token: String, _ content: [UInt8]) async throws -> Int {
        var request = URLRequest(url: api(path))
        request.httpMethod = "PUT"
        request.httpBody = Data(content)
        request.setValue("image/jpeg", forHTTPHeaderField: "Content-Type")
        request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
        let (_, response) = try await URLSession.shared.data(for: request)
        return (response as? HTTPURLResponse)?.statusCode ?? 0
    }

    /// Calls a body at once and after each change, until it returns true.
    func followChanges(_ token: String, until isSatisfied: () async throws -> Bool) async throws {
        let executor = AsyncHTTPClientExecutor()
        let headers: HTTPFields = [.authorization: "Bearer \(token)", .accept: "text/event-stream"]
        let message = RequestMessage(method: .get, url: api("changes"), headers: headers)
        do {
            try await BackendClient(executor: executor).exchange(message) { _, body, _ in
                for try await _ in ServerSentEvents(body) where try await isSatisfied() { return }
            }
            try await executor.shutdown()
        } catch {
            try? await executor.shutdown()
            throw error
        }
    }

    func json(_ path: String, _ token: String) async throws -> [String: Any] {
        let data = try await get("api/v1/\(path)", token).data
        return try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
    }

    private func get(_ path: String, _ token: String? = nil) async throws -> (data: Data, status: Int) {
        var request = URLRequest(url: try #require(URL(string: "\(address)/\(path)")), cachePolicy: .reloadIgnoringLocalCacheData)
        if let token { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
        let (data, response) = try await URLSession.shared.data(for: request)
        return (data, (response as? HTTPURLResponse)?.statusCode ?? 0)
    }

    func text(_ path: String) async throws -> String { String(decoding: try await get(path).data, as: UTF8.self) }

    func status(_ path: String, _ token: String? = nil) async throws -> Int { try await get(path, token).status }

    /// Returns the present position of the change feed.
    func position(_ token: String) async throws -> String {
        let json = try JSONSerialization.jsonObject(with: try await get("api/v1/orders", token).data) as? [String: Any]
        return try #require(json?["position"] as? String)
    }
}
