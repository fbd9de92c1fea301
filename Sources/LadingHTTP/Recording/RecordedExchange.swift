import Foundation
import HTTPTypes

/// One exchange as it is written down: the file `exchange.json`, beside which the bodies lie.
struct RecordedExchange: Codable, Sendable {
    static let currentFormat = 1
    static let fileName = "exchange.json"
    static let requestBodyName = "request-body"
    static let responseBodyName = "reply-body"

    /// A body that lies in a file of its own.
    ///
    /// Without length and digest the file may be anything: this is how a recording is changed by hand, and what is noted of a body that was
    /// not sent to its end.
    struct Body: Codable, Sendable {
        /// In bytes.
        var length: Int?
        /// In hexadecimal.
        var sha256: String?
    }

    struct Request: Codable, Sendable {
        var method: String
        /// Without its secrets, like all that follows.
        var url: String
        /// Lines of `Name: value`.
        var headers: [String]
        /// nil when there was none; without a digest it is equal to any.
        var body: Body?
    }

    struct Response: Codable, Sendable {
        var status: Int
        /// When the head was there, in seconds since the exchange began.
        var at: Double
        /// Lines of `Name: value`.
        var headers: [String]
        /// nil when there was none, or nobody read it.
        var body: Body?
        var chunks: [ChunkTimes.Chunk]?
    }

    var format = currentFormat
    var request: Request
    /// nil when none began.
    var response: Response?
    /// How it ended before the end of the reply; nil when all of it came.
    var failure: RecordedFailure?

    private enum CodingKeys: String, CodingKey {
        case format, request, failure
        case response = "reply"
    }
}

extension RecordedExchange {
    /// The times that a recording can have: up to a year, in seconds.
    private static let times: ClosedRange<Double> = 0...31_536_000

    /// Whether all times are possible and no part of the body has less than no bytes: people may change the file.
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
    /// Reads lines of `Name: value`; nil when one is none.
    init?(lines: [String]) {
        self.init()
        for line in lines {
            guard let colon = line.firstIndex(of: ":"), let name = HTTPField.Name(String(line[..<colon])) else { return nil }
            append(HTTPField(name: name, value: line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)))
        }
    }
}
