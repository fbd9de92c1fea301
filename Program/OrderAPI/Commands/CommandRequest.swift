import Digests
import Foundation
import HTTPFieldValues
import HTTPTypes
import Hummingbird
import NIOCore
import OrderLifecycle
import OrderStorage

/// The parts of a request that every command has: key, body, precondition and the time of the action.
struct CommandRequest {
    /// The maximum length of a body, in bytes.
    static let sizeLimit = 256 << 10

    let key: String
    /// The digest of everything that distinguishes two requests.
    let fingerprint: String
    let ifMatch: String?
    /// The difference between the server's clock and the client's, in milliseconds; zero if the client sends no time.
    private let skew: Int64
    private let body: [UInt8]
    private let receivedAt: Timestamp

    /// Reads a request.
    ///
    /// - Throws: `APIProblem`.
    init(_ request: Request, at now: Timestamp) async throws {
        guard let field = request.headers[.idempotencyKey] else {
            throw APIProblem("key-missing", .badRequest, "Idempotency-Key is missing", "Send a key that you use for no other request.")
        }
        guard let key = IdempotencyKeyField.key(in: field) else {
            throw APIProblem(
                "key-invalid", .badRequest, "Idempotency-Key is not valid",
                "A key has at most \(IdempotencyKeyField.lengthLimit) visible ASCII characters without quotes and backslashes.")
        }
        body = try await Self.body(of: request)
        ifMatch = try Self.ifMatch(in: request.headers)
        (self.key, receivedAt) = (key, now)
        fingerprint = Self.fingerprint(request, ifMatch, body)
        let clientTime = request.headers[.clientTime].flatMap(Timestamp.init(text:))
        skew = clientTime.map { now.milliseconds - $0.milliseconds } ?? 0
    }

    private static func body(of request: Request) async throws -> [UInt8] {
        do {
            return [UInt8](buffer: try await request.body.collect(upTo: sizeLimit))
        } catch is NIOTooManyBytesError {
            throw APIProblem.tooLarge(limit: sizeLimit)
        }
    }

    /// Returns the tag of `If-Match` without its quotes.
    private static func ifMatch(in headers: HTTPFields) throws -> String? {
        guard let field = headers[.ifMatch] else { return nil }
        guard !field.hasPrefix("W/\"") else { throw APIProblem.weakTag }
        guard field.utf8.count <= 64, field.count >= 2, field.hasPrefix("\""), field.hasSuffix("\"") else {
            throw APIProblem.invalid("If-Match must be the fence or the version of the order in quotes, such as \"4\" or \"4.9\".")
        }
        return String(field.dropFirst().dropLast())
    }

    private static func fingerprint(_ request: Request, _ ifMatch: String?, _ body: [UInt8]) -> String {
        let head = "\(request.method.rawValue) \(request.uri.path)\n\(ifMatch ?? "")\n"
        return SHA256.hash(data: Array(head.utf8) + body).hexString
    }

    /// Decodes the body; an empty one is an empty object.
    func body<Body: Decodable>(as type: Body.Type = Body.self) throws -> Body {
        do {
            return try JSONDecoder().decode(Body.self, from: body.isEmpty ? Data("{}".utf8) : Data(body))
        } catch let error as DecodingError {
            throw APIProblem.invalid(error)
        }
    }

    /// The fence that a courier's command requires.
    func fence() throws -> Fence {
        guard let ifMatch else {
            throw APIProblem(
                "fence-missing", .preconditionRequired, "If-Match is missing", "Send the fence of your claim in If-Match, such as \"4\".")
        }
        let number = OrderVersion(text: ifMatch)?.fence ?? Int(ifMatch).map(Fence.init(rawValue:))
        guard let number, number.rawValue >= 0 else { throw APIProblem.invalid("If-Match must be a fence in quotes, such as \"4\".") }
        return number
    }

    /// The version of an edit; nil without `If-Match`.
    func version() throws -> OrderVersion? {
        guard let ifMatch else { return nil }
        guard let version = OrderVersion(text: ifMatch) else {
            throw APIProblem.invalid("If-Match must be the version of the order in quotes, such as \"4.9\".")
        }
        return version
    }

    /// Returns the time of an action by the server's clock, in the years from 0001 on and at the latest now.
    ///
    /// - Parameter text: The time by the client's clock; nil for now.
    func actionTime(_ text: String?) throws -> Timestamp {
        guard let text else { return receivedAt }
        guard let time = Timestamp(text: text) else {
            throw APIProblem.invalid("\"at\" must be a time such as 2026-05-15T12:00:00Z.")
        }
        return max(Timestamp.rfc3339Range.lowerBound, min(Timestamp(milliseconds: time.milliseconds + skew), receivedAt))
    }
}

extension DecodingError {
    /// The place and the kind of the mistake, without values of the body.
    var fieldDescription: String {
        let subject = field.map { "\"\($0)\"" } ?? "The body"
        return switch self {
        case .keyNotFound: "\(subject) is missing."
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            "\(subject) has the wrong type: \(context.debugDescription)"
        case .dataCorrupted: field == nil ? "The body is not valid JSON." : "\(subject) is not valid."
        @unknown default: "The body is not valid."
        }
    }

    /// The path of the faulty field; nil if it is the body.
    var field: String? {
        let keys: [any CodingKey] =
            switch self {
            case .keyNotFound(let key, let context): context.codingPath + [key]
            case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context): context.codingPath
            @unknown default: []
            }
        return keys.isEmpty ? nil : keys.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
    }

    /// The rule that the field breaks; nil for other mistakes.
    var rule: BrokenRule? {
        switch self {
        case .keyNotFound, .valueNotFound: .missing
        case .typeMismatch(let type, _) where type == Double.self: .number
        case .typeMismatch(let type, _) where type == Int.self: .wholeNumber
        default: nil
        }
    }
}

extension HTTPField.Name {
    /// The client's time when it sends a request, from which the server estimates the difference of the clocks.
    static let clientTime = Self("Lading-Client-Time")!
}
