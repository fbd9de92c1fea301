import Foundation
import HTTPTypes
import LadingHTTP

/// The record of an exchange: the file `exchange.json`, beside which its bodies are stored.
struct RecordedExchange: Codable, Sendable {
    static let currentFormat = 1
    static let fileName = "exchange.json"
    static let requestBodyName = "request-body"
    static let responseBodyName = "reply-body"

    /// A body that is stored in a separate file.
    ///
    /// Without length and digest the file may have any contents: in recordings that are edited by hand, and for a body that was not sent completely.
    struct Body: Codable, Sendable {
        /// The length in bytes.
        var length: Int?
        /// The digest in hexadecimal.
        var sha256: String?
    }

    struct Request: Codable, Sendable {
        var method: String
        /// The URL, without secrets like all that follows.
        var url: String
        /// Lines of the form `Name: value`.
        var headers: [String]
        /// The body; nil without one. A body without a digest is equal to any.
        var body: Body?
    }

    struct Response: Codable, Sendable {
        var status: Int
        /// The arrival time of the head, in seconds since the exchange began.
        var at: Double
        /// Lines of the form `Name: value`.
        var headers: [String]
        /// The body; nil when there was none or it was not read.
        var body: Body?
        var chunks: [ChunkTimes.Chunk]?
    }

    var format = currentFormat
    var request: Request
    /// The response; nil when none began.
    var response: Response?
    /// The failure that ended the exchange before the end of the response; nil for a complete response.
    var failure: RecordedFailure?

    private enum CodingKeys: String, CodingKey {
        case format, request, failure
        case response = "reply"
    }
}

extension RecordedExchange {
    /// The valid times: up to a year, in seconds.
    private static let times: ClosedRange<Double> = 0...31_536_000

    /// Whether all times are valid and no length is negative; users may edit the file.
    var hasValidNumbers: Bool {
        let chunks = response?.chunks ?? []
        var times = chunks.map(\.at)
        if let response { times.append(response.at) }
        if let failure { times.append(failure.at) }
        if let failure, failure.kind == .timedOut, let limit = failure.limit { times.append(limit) }
        return times.allSatisfy { Self.times.contains($0) } && chunks.allSatisfy { $0.bytes >= 0 }
    }
}

extension RecordedExchange.Response {
    var head: ResponseHead? {
        guard (100...999).contains(status), let headers = HTTPFields(lines: headers) else { return nil }
        return ResponseHead(status: HTTPResponse.Status(code: status), headers: headers)
    }
}

extension HTTPFields {
    /// Parses lines of the form `Name: value`; nil when one is invalid.
    init?(lines: [String]) {
        self.init()
        for line in lines {
            guard let colon = line.firstIndex(of: ":"), let name = HTTPField.Name(String(line[..<colon])) else { return nil }
            append(HTTPField(name: name, value: line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)))
        }
    }
}
