import Foundation
import HTTPTypes
import LadingHTTP
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct ErrorDescriptionTests {
    private enum Case: CaseIterable {
        case unreachable, timedOut, interrupted, malformedResponse, status, bodyTooLarge, bufferLimitExceeded, tooManyRedirects
        case policyViolation, decodingFailed, circuitOpen
        case fileNotFound, notRegularFile, unreadable, outOfRange, wrongLength, tooLong, unsupportedMethod
        case eventTooLong, unexpectedContentType
        case unsupportedScheme, missingHost, privateAddress
        case invalidBaseURL, baseURLWithQuery

        init(_ error: BackendError) {
            self =
                switch error {
                case .unreachable: .unreachable
                case .timedOut: .timedOut
                case .interrupted: .interrupted
                case .malformedResponse: .malformedResponse
                case .status: .status
                case .bodyTooLarge: .bodyTooLarge
                case .bufferLimitExceeded: .bufferLimitExceeded
                case .tooManyRedirects: .tooManyRedirects
                case .policyViolation: .policyViolation
                case .decodingFailed: .decodingFailed
                case .circuitOpen: .circuitOpen
                }
        }

        init(_ error: RequestBodyError) {
            self =
                switch error {
                case .fileNotFound: .fileNotFound
                case .notRegularFile: .notRegularFile
                case .unreadable: .unreadable
                case .outOfRange: .outOfRange
                case .wrongLength: .wrongLength
                case .tooLong: .tooLong
                case .unsupportedMethod: .unsupportedMethod
                }
        }

        init(_ error: EventStreamError) {
            self =
                switch error {
                case .eventTooLong: .eventTooLong
                case .unexpectedContentType: .unexpectedContentType
                }
        }

        init(_ error: URLPolicy.Violation) {
            self =
                switch error {
                case .unsupportedScheme: .unsupportedScheme
                case .missingHost: .missingHost
                case .privateAddress: .privateAddress
                }
        }

        init(_ error: BackendEnvironment.Failure) {
            self =
                switch error {
                case .invalidBaseURL: .invalidBaseURL
                case .baseURLWithQuery: .baseURLWithQuery
                }
        }
    }

    private struct Unnamed: Error { var code = Optional(1) }

    private static let url = URL(string: "https://user:pw@a.org:8443/folder/5.xml?token=abcdefgh&page=2")!
    private static let corrupt = DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "The given data was not valid JSON."))

    private static let exchanges: [(BackendError, String)] = [
        (.unreachable(url, cause: URLError(.cannotFindHost)), "cannot reach a.org:8443 (the host name is unknown)"),
        (.unreachable(url, cause: Unnamed()), "cannot reach a.org:8443"),
        (
            .timedOut(url, after: .seconds(30)),
            "request to a.org:8443 timed out after 30 secs: retry, or raise the time limit or the read timeout"
        ),
        (.interrupted(url, cause: POSIXError(.ECONNRESET)), "lost the connection to a.org:8443 (Connection reset by peer)"),
        (.malformedResponse(url, cause: URLError(.badServerResponse)), "a.org:8443 sent an invalid HTTP response"),
        (.status(404, url), "not found (404): /folder/5.xml"),
        (.status(500, url), "the server responded with 500: /folder/5.xml"),
        (.status(503, url, headers: [.retryAfter: "120"]), "the server responded with 503 (retry after 2 min): /folder/5.xml"),
        (.status(500, URL(string: "https://a.org/5;token=abcdefgh")!), "the server responded with 500: /5;token=REDACTED"),
        (.bodyTooLarge(url, limit: 8 << 20), "the response exceeds the limit of 8 MB: raise ResponseLimits.bodySize"),
        (
            .bufferLimitExceeded(url, limit: 1 << 20),
            "the response of a.org:8443 exceeds the buffer limit of 1 MB: read it faster, or raise the limit"
        ),
        (.tooManyRedirects(url, limit: 5), "a.org:8443 responded with more than 5 redirects"),
        (
            .policyViolation(url, .privateAddress),
            "lists and redirects must not refer to a private address of another host, unless URLPolicy(trustedHosts:) has it: "
                + "https://REDACTED@a.org:8443/folder/5.xml?token=REDACTED&page=2"
        ),
        (.decodingFailed(url, cause: corrupt), "cannot read 5.xml: The given data was not valid JSON"),
        (.decodingFailed(url, cause: URLPolicy.Violation.missingHost), "cannot read 5.xml: the URL has no host"),
        (.decodingFailed(URL(string: "https://a.org")!, cause: Unnamed()), "cannot read the response of a.org"),
        (
            .circuitOpen(url, retryAfter: .seconds(2)),
            "requests to a.org:8443 are paused after repeated failures: retry later"
        ),
    ]

    private static let bodies: [(RequestBodyError, String)] = [
        (.fileNotFound("/a"), "/a does not exist: choose an existing file"),
        (.notRegularFile("/a"), "/a is not a regular file: choose a file"),
        (.unreadable("/a", code: EACCES), "cannot read /a (Permission denied): make it readable, or choose another file"),
        (.outOfRange("/a", size: 9), "the range exceeds /a, which has 9 bytes"),
        (.wrongLength(9, announced: 10), "the body has 9 bytes, not the announced 10"),
        (.tooLong(limit: 8 << 20), "the body exceeds the limit of 8 MB"),
        (.unsupportedMethod("GET"), "the executor sends no body with GET: use another method or executor"),
    ]

    private static let streams: [(EventStreamError, String)] = [
        (.eventTooLong(limit: 1 << 20), "an event exceeds the limit of 1 MB"),
        (.unexpectedContentType("text/html"), "the server sent text/html instead of an event stream"),
        (.unexpectedContentType(nil), "the server sent a response without content type instead of an event stream"),
    ]

    private static let violations: [(URLPolicy.Violation, String)] = [
        (.unsupportedScheme, "the URL must be an http or https URL"),
        (.missingHost, "the URL has no host"),
        (
            .privateAddress,
            "lists and redirects must not refer to a private address of another host, unless URLPolicy(trustedHosts:) has it"
        ),
    ]

    private static let environments: [(BackendEnvironment.Failure, String)] = [
        (
            .invalidBaseURL("ftp://user:pw@a.org", .unsupportedScheme),
            "“ftp://REDACTED@a.org” is not a valid base URL: the URL must be an http or https URL"
        ),
        (.invalidBaseURL("a b", nil), "“a b” is not a URL: write it as https://host/path"),
        (
            .baseURLWithQuery("https://a.org?key=abcdefgh"),
            "“https://a.org?key=REDACTED” is not a valid base URL: remove its query and fragment"
        ),
    ]

    private static let sentences: [(any Error, String)] = exchanges + bodies + streams + violations + environments

    @Test(arguments: sentences.indices) func `Both descriptions of an error are one sentence without secrets`(index: Int) {
        let (error, sentence) = Self.sentences[index]

        #expect("\(error)" == sentence)
        #expect(error.localizedDescription == sentence)
    }

    @Test func `Every case has a sentence`() {
        let cases =
            Self.exchanges.map { Case($0.0) } + Self.bodies.map { Case($0.0) } + Self.streams.map { Case($0.0) }
            + Self.violations.map { Case($0.0) } + Self.environments.map { Case($0.0) }

        #expect(Set(cases) == Set(Case.allCases))
    }

    @Test func `A failed sign-in names its cause once`() async {
        struct SignInError: LocalizedError { let errorDescription: String? }
        let server = URL(string: "https://a.org/")!

        for cause in ["EMAIL_NOT_FOUND", "cannot sign in: EMAIL_NOT_FOUND"] {
            let interceptor = BearerTokenInterceptor(for: [server]) { _ in throw SignInError(errorDescription: cause) }
            let error = await #expect(throws: BearerTokenInterceptor.Failure.self) {
                _ = try await interceptor.intercept(RequestMessage(url: server), next: { _ in throw CancellationError() })
            }

            #expect(error.map { "\($0)" } == "cannot sign in: EMAIL_NOT_FOUND")
            #expect(error?.localizedDescription == "cannot sign in: EMAIL_NOT_FOUND")
        }
    }
}
