import Foundation
import HTTPTypes
import LadingHTTP
import LadingTesting
import Testing

// What lies between two lines of dashes stands in Docs/Guides/OwnExecutor.md, word for word.
// ---- GUIDE
/// An executor over the library Wire.
nonisolated struct WireExecutor: BackendExecutor {
    let wire: Wire
    var silenceLimit = Duration.seconds(10)
    var bodyLimit = 64 << 20

    nonisolated(nonsending) func execute<Outcome: Sendable>(
        _ message: RequestMessage, timeLimit: Duration,
        receive: nonisolated(nonsending) (ReplyHead, ReplyBody) async throws -> Outcome
    ) async throws -> Outcome {
        // Wire wants all of a body at once. A library that takes it piece by piece is handed what `for try await chunk in message.body` gives.
        let bytes = try await message.body.collected(limit: bodyLimit)
        var request = Wire.Request(message.method.rawValue, message.url, body: bytes)
        for field in message.headers { request.add(field.name.rawName, field.value) }
        request.headTimeout = timeLimit
        request.silenceTimeout = silenceLimit
        // Wire asks this about the address it has connected to, before it sends anything.
        request.mayUse = { address in IPAddress(address).map(message.reach.allows) ?? false }

        let reply: Wire.Reply
        do { reply = try await wire.fetch(request) } catch { throw meaning(of: error, for: message, timeLimit) }
        // However `receive` ends: without the rest of the body the connection is of no use.
        defer { reply.close() }
        let body = ReplyBody {
            do { return try await reply.nextPiece() } catch { throw meaning(of: error, for: message, timeLimit) }
        }
        return try await receive(head(of: reply), body)
    }

    private func head(of reply: Wire.Reply) -> ReplyHead {
        var headers = HTTPFields()
        for (name, value) in reply.fields {
            if let name = HTTPField.Name(name) { headers.append(HTTPField(name: name, value: value)) }
        }
        return ReplyHead(status: HTTPResponse.Status(code: reply.status), headers: headers)
    }

    private func meaning(of error: any Error, for message: RequestMessage, _ timeLimit: Duration) -> any Error {
        switch error as? Wire.Failure {
        case .noConnection: BackendError.unreachable(message.url, cause: error)
        case .addressNotAllowed: BackendError.refused(message.url, .privateAddress)
        case .noHead: BackendError.timedOut(message.url, after: timeLimit)
        case .silence: BackendError.timedOut(message.url, after: silenceLimit)
        case .connectionEnded: BackendError.interrupted(message.url, cause: error)
        case .notHTTP: BackendError.malformedReply(message.url, cause: error)
        case .cancelled: CancellationError()
        case nil: error
        }
    }
}
// ---- GUIDE

// ---- GUIDE
/// Refuses a message whose host has an address that it must not be sent to. Keep one resolver: it bounds the look-ups at once.
nonisolated(nonsending) func judgeAddresses(of message: RequestMessage, with resolver: HostResolver) async throws {
    guard message.reach != .any else { return }
    let addresses: [IPAddress]
    do {
        addresses = try await resolver.addresses(of: message.url.host(percentEncoded: false) ?? "")
    } catch is CancellationError {
        throw CancellationError()
    } catch {
        throw BackendError.unreachable(message.url, cause: error)
    }
    guard addresses.allSatisfy(message.reach.allows) else { throw BackendError.refused(message.url, .privateAddress) }
}
// ---- GUIDE

/// A library as there are many: a request in, a reply in pieces out. This one answers out of its memory.
struct Wire {
    enum Failure: Error {
        case noConnection, addressNotAllowed, noHead, silence, connectionEnded, notHTTP, cancelled
    }

    struct Request {
        var url: URL
        var headTimeout = Duration.seconds(60)
        var silenceTimeout = Duration.seconds(60)
        var mayUse: (String) -> Bool = { _ in true }
        private var fields: [(String, String)] = []

        init(_ method: String, _ url: URL, body: [UInt8]) {
            self.url = url
        }

        mutating func add(_ name: String, _ value: String) { fields.append((name, value)) }
    }

    final class Reply {
        let status: Int
        let fields: [(String, String)]
        private var pieces: [[UInt8]]

        init(_ reply: BackendReply) {
            status = reply.status.code
            fields = reply.headers.map { ($0.name.rawName, $0.value) }
            pieces = reply.body.isEmpty ? [] : [reply.body]
        }

        func nextPiece() async throws -> [UInt8]? { pieces.popLast() }

        func close() { pieces = [] }
    }

    var answer: BackendReply
    var address = "1.1.1.1"

    func fetch(_ request: Request) async throws -> Reply {
        guard !Task.isCancelled else { throw Failure.cancelled }
        guard request.mayUse(address) else { throw Failure.addressNotAllowed }
        return Reply(answer)
    }
}

@Suite struct OwnExecutorExample {
    private static let conformance = ExecutorConformance { reply in WireExecutor(wire: Wire(answer: reply)) }

    @Test(arguments: conformance.cases) func `The executor of the guide keeps the contract`(_ example: ExecutorConformance.Case)
        async throws
    {
        try await Self.conformance.check(example)
    }

    @Test func `It refuses an address that is out of reach`() async throws {
        let url = try #require(URL(string: "http://a.org/"))
        let executor = WireExecutor(wire: Wire(answer: BackendReply(url: url, status: .ok), address: "10.0.0.1"))

        await #expect {
            try await executor.execute(RequestMessage(url: url, reach: .publicOnly), timeLimit: .seconds(1)) { _, _ in }
        } throws: { error in
            if case BackendError.refused(_, .privateAddress) = error { true } else { false }
        }
    }

    @Test(arguments: [("10.0.0.1", false), ("1.1.1.1", true)])
    func `An address that is looked up beforehand is judged`(address: String, isAllowed: Bool) async throws {
        let resolver = HostResolver { _ in [IPAddress("1.1.1.1"), IPAddress(address)].compactMap { $0 } }
        let message = RequestMessage(url: try #require(URL(string: "http://a.org/")), reach: .publicOnly)

        let isRefused: Bool
        do {
            try await judgeAddresses(of: message, with: resolver)
            isRefused = false
        } catch BackendError.refused(_, .privateAddress) {
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
