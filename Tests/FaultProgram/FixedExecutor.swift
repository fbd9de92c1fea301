import Foundation
import HTTPTypes
import LadingHTTP

/// An executor that answers each request with one body or with the requested range of it, and may lose the connection within it.
struct FixedExecutor: BackendExecutor {
    private static let chunkSize = 50_000

    let body: [UInt8]
    /// The offset in the body at which the connection ends; nil for complete responses.
    var interruption: Int?

    nonisolated(nonsending) func execute<Outcome: Sendable>(
        _ message: RequestMessage, timeLimit: Duration,
        receive: nonisolated(nonsending) (ResponseHead, ResponseBody) async throws -> Outcome
    ) async throws -> Outcome {
        let start = message.headers[.range].flatMap { Int($0.dropFirst("bytes=".count).prefix { $0.isNumber }) } ?? 0
        guard start < body.count else {
            let head = ResponseHead(status: .rangeNotSatisfiable, headers: [.contentRange: "bytes */\(body.count)"])
            return try await receive(head, ResponseBody { nil })
        }
        var headers: HTTPFields = [.eTag: "\"a\"", .acceptRanges: "bytes", .contentLength: "\(body.count - start)"]
        if start > 0 { headers[.contentRange] = "bytes \(start)-\(body.count - 1)/\(body.count)" }
        var rest = body[start..<max(start, interruption ?? body.count)]
        let response = ResponseBody {
            let chunk = Array(rest.prefix(Self.chunkSize))
            rest = rest.dropFirst(chunk.count)
            if chunk.isEmpty, interruption != nil { throw BackendError.interrupted(message.url, cause: POSIXError(.ECONNRESET)) }
            return chunk.isEmpty ? nil : chunk
        }
        return try await receive(ResponseHead(status: start > 0 ? .partialContent : .ok, headers: headers), response)
    }
}
