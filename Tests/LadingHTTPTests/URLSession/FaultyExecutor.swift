import Foundation
import HTTPTypes
import LadingHTTP

/// An executor with one fault, over a correct one.
struct FaultyExecutor: BackendExecutor {
    /// A fault; its raw value is the name of the case that must detect it.
    enum Fault: String, CaseIterable {
        case changesStatus = "Every status is returned"
        case dropsHeaders = "Header fields are found regardless of case"
        case replacesThrownErrors = "An error of `receive` is rethrown"
        case followsRedirects = "A redirect with 302 is handed over and not followed"
        case acceptsTruncatedBodies = "A connection that ends in a body with a length interrupts, and nothing is repeated"
        case retriesRequests = "A connection that ends before the response interrupts, and nothing is repeated"
        case buffersBodies = "A body is delivered as it arrives"
        case ignoresCancellation = "Cancelling before the head closes the connection"
        case reportsWrongLimit = "A server that is silent before the head is a timeout"
        case sendsPartialBodies = "A failed body does not arrive as a complete one"
        case ignoresAddressPolicy = "127.0.0.1 is refused to those who may only reach public addresses"
    }

    let fault: Fault
    let executor: URLSessionExecutor

    func execute<Outcome: Sendable>(
        _ message: RequestMessage, timeLimit: Duration, receive: (ResponseHead, ResponseBody) async throws -> Outcome
    ) async throws -> Outcome {
        var message = message
        switch fault {
        case .ignoresAddressPolicy:
            message.addressPolicy = .any
        case .sendsPartialBodies:
            message.body = .bytes(await [UInt8](bytesBeforeFailureOf: message.body))
        case .buffersBodies:
            let (head, chunks) = try await collect(message, timeLimit)
            return try await receive(head, .of(chunks))
        case .ignoresCancellation:
            let collecting = Task { [message] in try await collect(message, timeLimit) }
            let (head, chunks) = try await collecting.value
            return try await receive(head, .of(chunks))
        case .followsRedirects:
            let target = try await executor.execute(message, timeLimit: timeLimit) { head, _ in head.headers[.location] }
            message.url = target.flatMap { URL(string: $0, relativeTo: message.url)?.absoluteURL } ?? message.url
            return try await executor.execute(message, timeLimit: timeLimit) { head, body in
                try await receive(ResponseHead(status: .ok, headers: head.headers), body)
            }
        default: break
        }
        do {
            return try await executor.execute(message, timeLimit: timeLimit) { head, body in
                try await receive(change(head), change(body))
            }
        } catch BackendError.interrupted where fault == .retriesRequests {
            return try await executor.execute(message, timeLimit: timeLimit, receive: receive)
        } catch BackendError.timedOut(let url, _) where fault == .reportsWrongLimit {
            throw BackendError.timedOut(url, after: .seconds(3_600))
        } catch  where fault == .replacesThrownErrors {
            throw BackendError.interrupted(message.url, cause: error)
        }
    }

    private func collect(_ message: RequestMessage, _ timeLimit: Duration) async throws -> (ResponseHead, [[UInt8]]) {
        try await executor.execute(message, timeLimit: timeLimit) { head, body in
            var chunks: [[UInt8]] = []
            for try await chunk in body { chunks.append(chunk) }
            return (head, chunks)
        }
    }

    private func change(_ head: ResponseHead) -> ResponseHead {
        switch fault {
        case .changesStatus: ResponseHead(status: head.status == .notFound ? .gone : head.status, headers: head.headers)
        case .dropsHeaders: ResponseHead(status: head.status)
        default: head
        }
    }

    private func change(_ body: ResponseBody) -> ResponseBody {
        guard fault == .acceptsTruncatedBodies else { return body }
        var chunks = body.makeAsyncIterator()
        return ResponseBody { try? await chunks.next() }
    }
}

extension ResponseBody {
    fileprivate static func of(_ chunks: [[UInt8]]) -> ResponseBody {
        var rest = chunks.makeIterator()
        return ResponseBody { rest.next() }
    }
}

extension [UInt8] {
    /// Creates an array of the bytes of a body before its failure.
    fileprivate init(bytesBeforeFailureOf body: RequestBody) async {
        self = []
        do {
            for try await chunk in body { self += chunk }
        } catch {}
    }
}
