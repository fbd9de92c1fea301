import Foundation
import Testing

@testable import LadingHTTP

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct URLSessionErrorTests {
    /// An error as URLSession throws it and, on Apple's platforms, as its delegate receives it.
    private static let errors: [any Error] = {
        #if canImport(Darwin)
            [URLError(.cannotFindHost), NSError(domain: NSURLErrorDomain, code: NSURLErrorCannotFindHost)]
        #else
            [URLError(.cannotFindHost)]
        #endif
    }()

    @Test func `An error of the session or its delegate has the text of its cause`() throws {
        let message = RequestMessage(url: try #require(URL(string: "https://a.org/b")))

        for error in Self.errors {
            let unreachable = backendError(error, of: message, hasReceivedHead: false)
            #expect(unreachable.localizedDescription == "cannot reach a.org (the host name is unknown)")
        }
    }
}
