import Foundation
import HTTPTypes
import LadingTesting
import Testing

@testable import LadingHTTP

/// Tests of the bodies of errors, and of the problems that they describe.
@Suite struct ErrorResponseTests {
    private let executor = ScriptedExecutor()
    private let url = URL(string: "http://example.org/orders/7")!
    private static let problemType: HTTPFields = [.contentType: "application/problem+json"]

    private func script(_ status: Int, _ text: String, _ headers: HTTPFields = Self.problemType) {
        executor.script(url.absoluteString, .response(status: .init(code: status), headers: headers, text: text))
    }

    /// Returns the error of a request for a value.
    private func error(
        containsSecrets: Bool = false, within limits: ResponseLimits = ResponseLimits(), _ interceptors: any RequestInterceptor...
    ) async -> BackendError? {
        var message = RequestMessage(url: url)
        message.containsSecrets = containsSecrets
        let client = BackendClient(executor: executor, interceptors: interceptors)
        do {
            _ = try await client.value(of: BackendRequest(message, limits: limits) { $0 })
            return nil
        } catch {
            return error as? BackendError
        }
    }

    /// Returns a problem of this length in bytes.
    private func problem(length: Int) -> String {
        let (start, end) = (#"{"detail":""#, #""}"#)
        return start + String(repeating: "x", count: length - start.utf8.count - end.utf8.count) + end
    }

    // MARK: Problems

    @Test func `The problem in the body of an error is parsed`() async {
        script(
            422, #"{"type": "/stock", "title": "Out of stock", "status": 409, "detail": "No milk", "instance": "/orders/7", "items": [2]}"#,
            [.contentType: "Application/Problem+JSON; charset=utf-8"])

        let error = await error()

        let expected = ProblemDetails(
            type: "/stock", title: "Out of stock", status: 409, detail: "No milk", instance: "/orders/7", extensions: ["items": [2]])
        #expect(error?.problem == expected)
        #expect(error?.description == "the server responded with 422: /orders/7")
    }

    private static let documents: [(String, ProblemDetails?)] = [
        ("{}", ProblemDetails()), (#"{"type": 1, "title": null, "status": "404", "detail": [], "instance": {}}"#, ProblemDetails()),
        (#"{"status": 404.5}"#, ProblemDetails()), (#"{"status": 404}"#, ProblemDetails(status: 404)), ("[]", nil), ("{", nil), ("", nil),
    ]

    @Test(arguments: documents.indices) func `Members of a wrong type are ignored, and only an object is a problem`(index: Int) {
        let (text, expected) = Self.documents[index]

        #expect(ErrorResponse(headers: Self.problemType, body: Array(text.utf8)).problem == expected)
    }

    private static let mediaTypes: [(String?, Bool)] = [
        ("application/problem+json", true), ("APPLICATION/PROBLEM+JSON ;charset=utf-8", true), ("application/json", false),
        ("application/problem+json2", false), (nil, false),
    ]

    @Test(arguments: mediaTypes) func `Only the media type of problems is parsed`(type: String?, isParsed: Bool) {
        var response = ErrorResponse(body: Array("{}".utf8))
        response.headers[.contentType] = type

        #expect((response.problem != nil) == isParsed)
    }

    // MARK: Bodies

    @Test(arguments: [(0, false), (1, true)])
    func `A body that exceeds the limit is truncated, and is no problem`(excess: Int, isTruncated: Bool) async throws {
        script(500, problem(length: ErrorResponse.bodyLimit + excess))

        let error = await error()

        let response = try #require(error?.response)
        #expect(response.body.count == ErrorResponse.bodyLimit && response.isTruncated == isTruncated)
        #expect((error?.problem == nil) == isTruncated)
    }

    @Test func `The body of an error in the response to a message is limited, too`() {
        let long = BackendResponse(url: url, status: .badRequest, body: Array(repeating: 1, count: ErrorResponse.bodyLimit + 1))

        let response = BackendError(statusOf: long).response

        #expect(response?.body.count == ErrorResponse.bodyLimit && response?.isTruncated == true)
    }

    @Test func `A body that exceeds the size limit does not hide the status`() async throws {
        script(503, String(repeating: "x", count: 100), [.retryAfter: "7"])

        let error = await error(within: ResponseLimits(bodySize: 10))

        guard case .status(503, url, let response)? = error else { return #expect(Bool(false)) }
        #expect(response.body.count == 100 && !response.isTruncated && error?.retryAfter == .seconds(7))
        let client = BackendClient(executor: executor)
        await #expect { try await client.response(to: RequestMessage(url: url), within: ResponseLimits(bodySize: 10)) } throws: { error in
            if case BackendError.bodyTooLarge(_, limit: 10) = error { true } else { false }
        }
    }

    @Test func `The error of a confidential exchange has no body`() async {
        script(400, #"{"detail": "The password is wrong."}"#)

        let error = await error(containsSecrets: true)
        let replaced = await self.error(containsSecrets: true, ReplacingInterceptor())

        #expect(error?.response?.headers == Self.problemType && error?.response?.body == [] && error?.problem == nil)
        #expect(replaced?.response?.body == [])
    }

    @Test func `Removing secrets from a URL preserves the response`() throws {
        let secret = try #require(URL(string: "http://example.org/orders/7?token=abc"))
        let response = ErrorResponse(headers: [.retryAfter: "7"], body: [1], isTruncated: true)

        let error = QuerySecrets(["token"]).removed(from: BackendError.status(503, secret, response: response))

        guard case BackendError.status(503, url, let remaining) = error else { return #expect(Bool(false)) }
        #expect(remaining.headers == response.headers && remaining.body == [1] && remaining.isTruncated)
    }
}

/// An interceptor that creates the response.
private struct ReplacingInterceptor: RequestInterceptor {
    func intercept(_ message: RequestMessage, next: Exchange) async throws -> BackendResponse {
        BackendResponse(url: message.url, status: .badRequest, body: [1])
    }
}

extension BackendError {
    fileprivate var response: ErrorResponse? {
        if case .status(_, _, let response) = self { response } else { nil }
    }
}
