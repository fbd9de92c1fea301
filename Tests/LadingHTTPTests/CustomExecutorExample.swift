import Foundation
import HTTPTypes
import LadingConformance
import LadingHTTP
import Testing

// The code between two lines of dashes is a verbatim part of Docs/Guides/OwnExecutor.md.
// ---- GUIDE
/// An executor over the library Wire.
nonisolated struct WireExecutor: BackendExecutor {
    let wire: Wire
    var readTimeout = Duration.seconds(10)
    var bodyLimit = 64 << 20

    nonisolated(nonsending) func execute<Outcome: Sendable>(
        _ message: RequestMessage, timeLimit: Duration,
        receive: nonisolated(nonsending) (ResponseHead, ResponseBody) async throws -> Outcome
    ) async throws -> Outcome {
        // Wire requires complete bodies. A library that streams receives the chunks of `for try await chunk in message.body`.
        let bytes = try await message.body.collected(limit: bodyLimit)
        var request = Wire.Request(message.method.rawValue, message.url, body: bytes)
        for field in message.headers.joiningCookies { request.add(field.name.rawName, field.value) }
        request.headTimeout = timeLimit
        request.readTimeout = readTimeout
        // Wire calls this with the address of the connection before it sends anything.
        request.allowsAddress = { address in IPAddress(address).map(message.addressPolicy.allows) ?? false }

        let response: Wire.Response
        do { response = try await wire.fetch(request) } catch { throw backendError(from: error, for: message, timeLimit) }
        // The connection cannot be reused without the rest of the body.
        defer { response.close() }
        let body = ResponseBody {
            do { return try await response.nextChunk() } catch { throw backendError(from: error, for: message, timeLimit) }
        }
        return try await receive(head(of: response), body)
    }

    private func head(of response: Wire.Response) -> ResponseHead {
        var headers = HTTPFields()
        for (name, value) in response.fields {
            if let name = HTTPField.Name(name) { headers.append(HTTPField(name: name, value: value)) }
        }
        return ResponseHead(status: HTTPResponse.Status(code: response.status), headers: headers)
    }

    private func backendError(from error: any Error, for message: RequestMessage, _ timeLimit: Duration) -> any Error {
        switch error as? Wire.Failure {
        case .noConnection: BackendError.unreachable(message.url, cause: error)
        case .addressNotAllowed: BackendError.policyViolation(message.url, .privateAddress)
        case .noHead: BackendError.timedOut(message.url, after: timeLimit)
        case .readTimeout: BackendError.timedOut(message.url, after: readTimeout)
        case .connectionEnded: BackendError.interrupted(message.url, cause: error)
        case .notHTTP: BackendError.malformedResponse(message.url, cause: error)
        case .cancelled: CancellationError()
        case nil: error
        }
    }
}
// ---- GUIDE

// ---- GUIDE
/// Throws if the address policy of a message forbids an address of its host. Share one resolver: it limits concurrent lookups.
nonisolated(nonsending) func checkAddresses(of message: RequestMessage, with resolver: HostResolver) async throws {
    guard message.addressPolicy != .any else { return }
    let addresses: [IPAddress]
    do {
        addresses = try await resolver.addresses(of: message.url.host(percentEncoded: false) ?? "")
    } catch is CancellationError {
        throw CancellationError()
    } catch {
        throw BackendError.unreachable(message.url, cause: error)
    }
    guard addresses.allSatisfy(message.addressPolicy.allows) else { throw BackendError.policyViolation(message.url, .privateAddress) }
}
// ---- GUIDE

/// A stand-in for an HTTP library, which returns a response in chunks. It responds from memory.
struct Wire {
    enum Failure: Error {
        case noConnection, addressNotAllowed, noHead, readTimeout, connectionEnded, notHTTP, cancelled
    }

    struct Request {
        var url: URL
        var headTimeout = Duration.seconds(60)
        var readTimeout = Duration.seconds(60)
        var allowsAddress: (String) -> Bool = { _ in true }
        private var fields: [(String, String)] = []

        init(_ method: String, _ url: URL, body: [UInt8]) {
            self.url = url
        }

        mutating func add(_ name: String, _ value: String) { fields.append((name, value)) }
    }

    final class Response {
        let status: Int
        let fields: [(String, String)]
        private var chunks: [[UInt8]]

        init(_ response: BackendResponse) {
            status = response.status.code
            fields = response.headers.map { ($0.name.rawName, $0.value) }
            chunks = response.body.isEmpty ? [] : [response.body]
        }

        func nextChunk() async throws -> [UInt8]? { chunks.popLast() }

        func close() { chunks = [] }
    }

    var response: BackendResponse
    var address = "1.1.1.1"

    func fetch(_ request: Request) async throws -> Response {
        guard !Task.isCancelled else { throw Failure.cancelled }
        guard request.allowsAddress(address) else { throw Failure.addressNotAllowed }
        return Response(response)
    }
}

@Suite struct CustomExecutorExample {
    private static let conformance = ExecutorConformance { response in WireExecutor(wire: Wire(response: response)) }

    @Test(arguments: conformance.cases) func `The executor of the guide passes the conformance suite`(_ example: ExecutorConformance.Case)
        async throws
    {
        try await Self.conformance.check(example)
    }

    @Test func `The executor rejects an address that the address policy does not allow`() async throws {
        let url = try #require(URL(string: "http://a.org/"))
        let executor = WireExecutor(wire: Wire(response: BackendResponse(url: url, status: .ok), address: "10.0.0.1"))

        await #expect {
            try await executor.execute(RequestMessage(url: url, addressPolicy: .publicOnly), timeLimit: .seconds(1)) { _, _ in }
        } throws: { error in
            if case BackendError.policyViolation(_, .privateAddress) = error { true } else { false }
        }
    }

    @Test(arguments: [("10.0.0.1", false), ("1.1.1.1", true)])
    func `Resolved addresses are checked before the request is sent`(address: String, isAllowed: Bool) async throws {
        let resolver = HostResolver { _ in [IPAddress("1.1.1.1"), IPAddress(address)].compactMap { $0 } }
        let message = RequestMessage(url: try #require(URL(string: "http://a.org/")), addressPolicy: .publicOnly)

        let isRefused: Bool
        do {
            try await checkAddresses(of: message, with: resolver)
            isRefused = false
        } catch BackendError.policyViolation(_, .privateAddress) {
            isRefused = true
        }

        #expect(isRefused != isAllowed)
    }

    @Test func `The guide shows the code above`() throws {
        let file = URL(filePath: #filePath)
        let package = file.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

        let parts = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "// ---- GUIDE\n")
        let guide = try String(contentsOf: package.appending(path: "Docs/Guides/OwnExecutor.md"), encoding: .utf8)

        for code in [parts[1], parts[3]] { #expect(guide.contains("```swift\n\(code)```\n")) }
    }
}
