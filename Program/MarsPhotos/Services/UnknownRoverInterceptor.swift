import Foundation
import HTTPTypes
import LadingHTTP

/// An interceptor that converts responses about an unknown rover into errors: 400 `{"errors":"Invalid Rover Name"}`.
struct UnknownRoverInterceptor: RequestInterceptor {
    /// The maximum size of an inspected response body, in bytes.
    private static let errorBodyLimit = 4_096

    let location: PhotoServiceLocation

    /// Performs the exchange, and throws if the response is the error of an unknown rover.
    ///
    /// - Throws: `PhotoError.unknownRover`.
    func intercept(_ message: RequestMessage, next: Exchange) async throws -> BackendResponse {
        let response = try await next(message)
        guard [400, 404].contains(response.status.code), location.contains(message.url), let rover = message.url.requestedRover,
            Self.isUnknownRover(response.body)
        else { return response }
        throw PhotoError.unknownRover(rover)
    }

    private static func isUnknownRover(_ body: [UInt8]) -> Bool {
        guard body.count <= errorBodyLimit, let errorBody = try? JSONDecoder().decode(JSONValue.self, from: Data(body)) else {
            return false
        }
        let message = errorBody["errors"]?.string ?? errorBody["error"]?.string
        return message?.lowercased().contains("rover") == true
    }
}

extension URL {
    /// The path component after `manifests` or `rovers`.
    fileprivate var requestedRover: String? {
        let parts = path().split(separator: "/").map(String.init)
        guard let index = parts.lastIndex(where: { $0 == "manifests" || $0 == "rovers" }), index + 1 < parts.count else { return nil }
        return parts[index + 1]
    }
}
