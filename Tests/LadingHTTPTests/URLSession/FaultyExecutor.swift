import Foundation
import HTTPTypes
import LadingHTTP

/// An executor that does one thing wrong, over one that does it right.
struct FaultyExecutor: BackendExecutor {
    /// What it does wrong; the text is the case that must find it out.
    enum Fault: String, CaseIterable {
        case changesStatus = "A status is handed over, whatever it is"
        case losesFields = "Header fields are handed over, however their names are written"
        case hidesWhatIsThrown = "What `receive` throws is passed on"
        case followsRedirects = "A redirect with 302 is handed over and not followed"
        case takesCutBodies = "A connection that ends in a body with a length interrupts, and nothing is repeated"
        case repeatsItself = "A connection that ends before the reply interrupts, and nothing is repeated"
        case readsAhead = "A body is handed on as it arrives"
        case ignoresCancellation = "Cancelling before the head closes the connection"
        case namesAnotherLimit = "A server that falls silent before the head is given up"
        case takesHalfBodiesForWhole = "A body that fails does not arrive as if it were whole"
        case ignoresReach = "127.0.0.1 is refused to those who may only reach public addresses"
    }

    let fault: Fault
    let executor: URLSessionExecutor

    func execute<Outcome: Sendable>(
        _ message: RequestMessage, timeLimit: Duration, receive: (ReplyHead, ReplyBody) async throws -> Outcome
    ) async throws -> Outcome {
        var message = message
        switch fault {
        case .ignoresReach:
            message.reach = .any
        case .takesHalfBodiesForWhole:
            message.body = .bytes(await [UInt8](whatArrivesOf: message.body))
        case .readsAhead:
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
                try await receive(ReplyHead(status: .ok, headers: head.headers), body)
            }
        default: break
        }
        do {
            return try await executor.execute(message, timeLimit: timeLimit) { head, body in
                try await receive(change(head), change(body))
            }
        } catch BackendError.interrupted where fault == .repeatsItself {
            return try await executor.execute(message, timeLimit: timeLimit, receive: receive)
        } catch BackendError.timedOut(let url, _) where fault == .namesAnotherLimit {
            throw BackendError.timedOut(url, after: .seconds(3_600))
        } catch  where fault == .hidesWhatIsThrown {
            throw BackendError.interrupted(message.url, cause: error)
        }
    }

    private func collect(_ message: RequestMessage, _ timeLimit: Duration) async throws -> (ReplyHead, [[UInt8]]) {
        try await executor.execute(message, timeLimit: timeLimit) { head, body in
            var chunks: [[UInt8]] = []
            for try await chunk in body { chunks.append(chunk) }
            return (head, chunks)
        }
    }

    private func change(_ head: ReplyHead) -> ReplyHead {
        switch fault {
        case .changesStatus: ReplyHead(status: head.status == .notFound ? .gone : head.status, headers: head.headers)
        case .losesFields: ReplyHead(status: head.status)
        default: head
        }
    }

    private func change(_ body: ReplyBody) -> ReplyBody {
        guard fault == .takesCutBodies else { return body }
        var chunks = body.makeAsyncIterator()
        return ReplyBody { try? await chunks.next() }
    }
}

extension ReplyBody {
    fileprivate static func of(_ chunks: [[UInt8]]) -> ReplyBody {
        var rest = chunks.makeIterator()
        return ReplyBody { rest.next() }
    }
}

extension [UInt8] {
    /// The bytes of a body up to where it fails.
    fileprivate init(whatArrivesOf body: RequestBody) async {
        self = []
        do {
            for try await chunk in body { self += chunk }
        } catch {}
    }
}
