import Foundation
import HTTPTypes
import LadingHTTP
import LadingOperations
import LadingTesting
import Testing
import TemporaryFolders

// The code between two lines of dashes is a verbatim part of Docs/Guides/Requests.md.
// ---- GUIDE
func delivery(at url: URL, with picture: URL) async throws -> (Delivery, Data) {
    let client = BackendClient()
    return (try await client.get(url, as: Delivery.self), try await client.data(from: picture))
}
// ---- GUIDE

// ---- GUIDE
nonisolated struct Delivery: Codable, Sendable {
    var id: Int
    var description: String
}

/// The requests of the delivery backend.
nonisolated struct DeliveryBackend {
    let environment: BackendEnvironment

    func page(_ offset: Int) -> BackendRequest<[Delivery]> {
        environment.request(.get, "deliveries", query: ["offset": .init(offset), "limit": 20], decoding: [Delivery].self)
    }

    func rename(_ delivery: Delivery, to text: String) throws -> BackendRequest<Delivery> {
        environment.request(.patch, "deliveries/\(delivery.id)", content: try .json(["description": text]), decoding: Delivery.self)
    }

    func signOff(_ delivery: Delivery, signature: URL) throws -> BackendRequest<Void> {
        var form = MultipartForm()
        form.append("receivedBy", "A. Lovelace")
        try form.append("signature", file: signature, type: "image/png")
        return environment.request(.post, "deliveries/\(delivery.id)/receipt", content: .multipart(form), decoding: .ignoringBody)
    }
}
// ---- GUIDE

// ---- GUIDE
func deliveries(from executor: any BackendExecutor) async throws -> [Delivery] {
    let backend = DeliveryBackend(
        environment: try BackendEnvironment(
            baseURL: "https://api.example.org/v2", headers: [.accept: "application/json"],
            limits: ResponseLimits(bodySize: 1_000_000, time: .seconds(10))))
    let client = BackendClient(executor: executor)
    return try await client.value(of: backend.page(0))
}
// ---- GUIDE

// ---- GUIDE
func upload(_ video: URL, to url: URL, with client: BackendClient) async throws {
    let message = RequestMessage(method: .put, url: url, body: try .file(video))
    let progress = OperationProgress()
    let display = Task {
        for await sent in progress.updates() { print("\(sent.completed) of \(sent.total ?? 0) \(sent.unit.name)") }
    }
    defer { display.cancel() }
    let response = try await client.response(to: message, within: ResponseLimits(time: .seconds(3_600)), uploadProgress: progress)
    guard response.status == .created else { throw BackendError.status(response.status.code, response.url, headers: response.headers) }
}
// ---- GUIDE

// ---- GUIDE
/// Returns the explanation of an error for people.
func explanation(of error: any Error) -> String {
    let problem = (error as? BackendError)?.problem
    return problem?.detail ?? problem?.title ?? error.localizedDescription
}
// ---- GUIDE

// ---- GUIDE
/// An interceptor that requests responses in a language.
nonisolated struct LanguageInterceptor: RequestInterceptor {
    let language: String

    nonisolated(nonsending) func intercept(_ message: RequestMessage, next: Exchange) async throws -> BackendResponse {
        var message = message
        message.headers[.acceptLanguage] = language
        return try await next(message)
    }
}

func signedIn(
    _ backend: BackendEnvironment, executor: any BackendExecutor, renew: @escaping @Sendable (String?) async throws -> String
) -> BackendClient {
    let token = BearerTokenInterceptor(for: [backend.baseURL]) { old in try await renew(old) }
    return BackendClient(executor: executor, interceptors: [LanguageInterceptor(language: "de"), token])
}
// ---- GUIDE

@Suite struct RequestsGuideExample {
    private let executor = ScriptedExecutor()

    @Test func `The requests of the guide have the documented URLs and fields`() async throws {
        executor.script("https://api.example.org/v2/deliveries?offset=0&limit=20", .response(text: #"[{"id": 7, "description": "Tea"}]"#))
        executor.script("https://api.example.org/v2/deliveries/7/receipt", .response(status: .created))
        executor.script("https://api.example.org/v2/deliveries/7", .response(text: #"{"id": 7, "description": "Coffee"}"#))
        let signature = try TemporaryFile("PNG")

        let delivery = try #require(try await deliveries(from: executor).first)
        let backend = DeliveryBackend(environment: try BackendEnvironment(baseURL: "https://api.example.org/v2"))
        let client = signedIn(backend.environment, executor: executor) { _ in "new" }
        try await client.value(of: backend.signOff(delivery, signature: signature.url))
        let renamed = try await client.value(of: backend.rename(delivery, to: "Coffee"))

        #expect(renamed.description == "Coffee")
        #expect(executor.requests.map { $0.headers[.authorization] } == [nil, "Bearer new", "Bearer new"])
        #expect(executor.requests.map { $0.headers[.acceptLanguage] } == [nil, "de", "de"])
        #expect(executor.requests.last?.body.bytes == Array(#"{"description":"Coffee"}"#.utf8))
    }

    @Test func `The upload of the guide sends its file`() async throws {
        let url = try #require(URL(string: "https://api.example.org/video"))
        executor.script(url.absoluteString, .response(status: .created))
        let video = try TemporaryFile("frames")

        try await upload(video.url, to: url, with: BackendClient(executor: executor))

        #expect(executor.requests.map(\.body.bytes) == [Array("frames".utf8)])
    }

    @Test func `The explanation of an error is the detail of its problem`() async throws {
        let url = try #require(URL(string: "https://api.example.org/v2/deliveries/7"))
        let problem = #"{"title": "Out of stock", "detail": "There is no milk left."}"#
        executor.script(
            url.absoluteString, .response(status: .conflict, headers: [.contentType: "application/problem+json"], text: problem))

        let error = await #expect(throws: BackendError.self) {
            try await BackendClient(executor: executor).get(url, as: Delivery.self)
        }

        #expect(error.map { explanation(of: $0) } == "There is no milk left.")
        #expect(explanation(of: BackendError.status(409, url)) == "the server responded with 409: /v2/deliveries/7")
    }

    @Test func `The guide shows the code above`() throws {
        let file = URL(filePath: #filePath)
        let package = file.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

        let parts = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "// ---- GUIDE\n")
        let guide = try String(contentsOf: package.appending(path: "Docs/Guides/Requests.md"), encoding: .utf8)

        for index in stride(from: 1, to: parts.count - 1, by: 2) { #expect(guide.contains("```swift\n\(parts[index])```\n")) }
    }
}
