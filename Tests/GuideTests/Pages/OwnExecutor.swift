import Foundation
import HTTPTypes
import LadingConformance
import LadingHTTP
import LadingTesting
import Testing

// block 1

// block 2

// test block 3

/// A typical HTTP library: requests in, responses in chunks out.
nonisolated struct Wire {
    enum Failure: Error {
        case noConnection, addressNotAllowed, noHead, readTimeout, connectionEnded, notHTTP, cancelled
    }

    struct Request {
        var headTimeout = Duration.seconds(60)
        var readTimeout = Duration.seconds(60)
        var allowsAddress: (String) -> Bool = { _ in true }

        init(_ method: String, _ url: URL, body: [UInt8]) {}

        mutating func add(_ name: String, _ value: String) {}
    }

    final class Response: Sendable {
        let status = 200
        let fields: [(String, String)] = []

        func nextChunk() async throws -> [UInt8]? { nil }

        func close() {}
    }

    func fetch(_ request: Request) async throws -> Response { Response() }
}
