import Foundation
import HTTPTypes
import LadingHTTP
import LadingTesting
import Testing

@Suite struct RequestInterceptorTests {
    private let executor = ScriptedExecutor()
    private let url = URL(string: "http://example.org/thing")!

    @Test func `The first interceptor is the outermost`() async throws {
        executor.script(url.absoluteString, .response(text: "ok"))
        let log = Log()
        let client = BackendClient(
            executor: executor, interceptors: [TracingInterceptor(name: "a", log: log), TracingInterceptor(name: "b", log: log)])

        _ = try await client.value(of: BackendRequest(url: url))

        #expect(log.lines == ["a>", "b>", "b<200", "a<200"])
        #expect(executor.requests.first?.headers[values: HTTPField.Name("X-Way")!] == ["a", "b"])
    }

    @Test func `An interceptor receives the error of the exchange`() async {
        executor.script(url.absoluteString, .failure(BackendError.timedOut(url, after: .seconds(1))))
        let log = Log()

        _ = try? await BackendClient(executor: executor, interceptors: [TracingInterceptor(name: "a", log: log)]).response(
            to: RequestMessage(url: url))

        #expect(log.lines.last?.hasPrefix("a!") == true)
    }

    @Test func `An interceptor may respond without a request, or repeat the request`() async throws {
        executor.script(url.absoluteString, .response(status: .serviceUnavailable), .response(text: "ok"))
        let retrying = BackendClient(executor: executor, interceptors: [RetryOn503Interceptor()])
        let responding = BackendClient(executor: executor, interceptors: [NoContentInterceptor()])

        #expect(try await retrying.response(to: RequestMessage(method: .post, url: url, body: [1])).status == .ok)
        #expect(try await responding.response(to: RequestMessage(url: url)).status == .noContent)
        #expect(executor.requests.map(\.body.bytes) == [[1], [1]])
    }

    @Test func `A URL that an interceptor changed is checked by the URL policy`() async {
        struct FileURLInterceptor: RequestInterceptor {
            func intercept(_ message: RequestMessage, next: Exchange) async throws -> BackendResponse {
                try await next(RequestMessage(url: URL(filePath: "/etc/passwd")))
            }
        }

        await #expect {
            try await BackendClient(executor: executor, interceptors: [FileURLInterceptor()]).response(to: RequestMessage(url: url))
        } throws: { error in
            if case BackendError.policyViolation = error { true } else { false }
        }
    }
}

private struct TracingInterceptor: RequestInterceptor {
    let name: String
    let log: Log

    func intercept(_ message: RequestMessage, next: Exchange) async throws -> BackendResponse {
        log.append("\(name)>")
        var message = message
        message.headers.append(HTTPField(name: HTTPField.Name("X-Way")!, value: name))
        do {
            let response = try await next(message)
            log.append("\(name)<\(response.status.code)")
            return response
        } catch {
            log.append("\(name)!\(error)")
            throw error
        }
    }
}

private struct RetryOn503Interceptor: RequestInterceptor {
    func intercept(_ message: RequestMessage, next: Exchange) async throws -> BackendResponse {
        let response = try await next(message)
        return response.status == .serviceUnavailable ? try await next(message) : response
    }
}

private struct NoContentInterceptor: RequestInterceptor {
    func intercept(_ message: RequestMessage, next: Exchange) async throws -> BackendResponse {
        BackendResponse(url: message.url, status: .noContent)
    }
}
