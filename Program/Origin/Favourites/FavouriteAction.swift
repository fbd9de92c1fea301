import Foundation
import HTTPFieldValues
import HTTPTypes
import Hummingbird
import NIOCore

/// A change of a favourite, with the time of the user's action: `{"favourite": true, "at": "2026-05-15T12:00:00Z"}`.
struct FavouriteAction: Hashable, Sendable {
    /// The maximum length of a body, in bytes.
    static let sizeLimit = 4_096

    let isFavourite: Bool
    let timestamp: ActionTimestamp

    /// Parses the body of a PUT.
    ///
    /// - Throws: `HTTPError`: 415 for a content type other than JSON, 413 when the body is too long, 400 when it is malformed.
    init(bodyOf request: Request) async throws {
        guard request.headers.mediaType == "application/json" else {
            throw HTTPError(.unsupportedMediaType, message: "The content type must be application/json.")
        }
        let body: ByteBuffer
        do {
            body = try await request.body.collect(upTo: Self.sizeLimit)
        } catch is NIOTooManyBytesError {
            throw HTTPError(.contentTooLarge, message: "The body exceeds the limit of \(Self.sizeLimit) bytes.")
        }
        guard let payload = try? JSONDecoder().decode(Payload.self, from: Data(body.readableBytesView)) else {
            throw HTTPError(.badRequest, message: "The body must have the form {\"favourite\": true, \"at\": \"2026-05-15T12:00:00Z\"}.")
        }
        guard let timestamp = ActionTimestamp(payload.at) else {
            throw HTTPError(.badRequest, message: "\"at\" must be a date and time such as 2026-05-15T12:00:00Z.")
        }
        (isFavourite, self.timestamp) = (payload.favourite, timestamp)
    }

    init(isFavourite: Bool, timestamp: ActionTimestamp) {
        (self.isFavourite, self.timestamp) = (isFavourite, timestamp)
    }

    private struct Payload: Decodable {
        let favourite: Bool
        let at: String
    }
}
