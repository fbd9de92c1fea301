import Foundation
import HTTPTypes
import LadingHTTP
import LadingTesting
import Testing

@Suite struct RequestInterceptorTests {
    private let executor = ScriptedExecutor()
    private let url = URL(string: "http://example.org/thing")!

    @Test func `The first interceptor is the outermost`() async throws {
        executor.script(url.absoluteString, .reply(text: "ok"))
        let log = Log()
        let client = BackendClient(executor: executor, interceptors: [Noting(name: "a", log: log), Noting(name: "b", log: log)])

        _ = try await client.value(of: BackendRequest(url: url))

        #expect(log.lines == ["a>", "b>", "b<200", "a<200"])
        #expect(executor.requests.first?.headers[values: HTTPField.Name("X-Way")!] == ["a", "b"])
    }

    @Test func `An interceptor sees the error`() async {
        executor.script(url.absoluteString, .failure(BackendError.timedOut(url, after: .seconds(1))))
        let log = Log()

        _ = try? await BackendClient(executor: executor, interceptors: [Noting(name: "a", log: log)]).reply(to: RequestMessage(url: url))

        #expect(log.lines.last?.hasPrefix("a!") == true)
    }

    @Test func `An interceptor may answer without asking, and ask again`() async throws {
        executor.script(url.absoluteString, .reply(status: .serviceUnavailable), .reply(text: "ok"))
        let stubborn = BackendClient(executor: executor, interceptors: [Stubborn()])
        let silent = BackendClient(executor: executor, interceptors: [Silent()])

        #expect(try await stubborn.reply(to: RequestMessage(method: .post, url: url, body: [1])).status == .ok)
        #expect(try await silent.reply(to: RequestMessage(url: url)).status == .noContent)
        #expect(executor.requests.map(\.body.bytes) == [[1], [1]])
    }

    @Test func `A URL that an interceptor changed is judged like any other`() async {
        struct Astray: RequestInterceptor {
            func intercept(_ message: RequestMessage, next: Exchange) async throws -> BackendReply {
                try await next(RequestMessage(url: URL(filePath: "/etc/passwd")))
            }
        }

        await #expect {
            try await BackendClient(executor: executor, interceptors: [Astray()]).reply(to: RequestMessage(url: url))
        } throws: { error in
            if case BackendError.refused = error { true } else { false }
        }
    }
}

private struct Noting: RequestInterceptor {
    let name: String
    let log: Log

    func intercept(_ message: RequestMessage, next: Exchange) async throws -> BackendReply {
        log.note("\(name)>")
        var message = message
        message.headers.append(HTTPField(name: HTTPField.Name("X-Way")!, value: name))
        do {
            let reply = try await next(message)
            log.note("\(name)<\(reply.status.code)")
            return reply
        } catch {
            log.note("\(name)!\(error)")
            throw error
        }
    }
}

private struct Stubborn: RequestInterceptor {
    func intercept(_ message: RequestMessage, next: Exchange) async throws -> BackendReply {
        let reply = try await next(message)
        return reply.status == .serviceUnavailable ? try await next(message) : reply
    }
}

private struct Silent: RequestInterceptor {
    func intercept(_ message: RequestMessage, next: Exchange) async throws -> BackendReply {
        BackendReply(url: message.url, status: .noContent)
    }
}
