import Foundation
import HTTPTypes
import LadingHTTP

/// Reads in a refusal that it is about the rover: 400 `{"errors":"Invalid Rover Name"}`.
struct UnknownRoverInterceptor: RequestInterceptor {
    /// The longest refusal that is read, in bytes.
    private static let refusalLimit = 4_096

    let place: PhotoPlace

    /// - Throws: `PhotoError.unknownRover`.
    func intercept(_ message: RequestMessage, next: Exchange) async throws -> BackendReply {
        let reply = try await next(message)
        guard [400, 404].contains(reply.status.code), place.holds(message.url), let rover = message.url.askedRover,
            Self.isAboutRover(reply.body)
        else { return reply }
        throw PhotoError.unknownRover(rover)
    }

    private static func isAboutRover(_ body: [UInt8]) -> Bool {
        guard body.count <= refusalLimit, let refusal = try? JSONDecoder().decode(JSONValue.self, from: Data(body)) else { return false }
        let words = refusal["errors"]?.string ?? refusal["error"]?.string
        return words?.lowercased().contains("rover") == true
    }
}

extension URL {
    /// The name behind `manifests` or `rovers` in the path.
    fileprivate var askedRover: String? {
        let parts = path().split(separator: "/").map(String.init)
        guard let place = parts.lastIndex(where: { $0 == "manifests" || $0 == "rovers" }), place + 1 < parts.count else { return nil }
        return parts[place + 1]
    }
}
