import Foundation
import HTTPTypes
package import LadingCaching
package import LadingHTTP
import LadingOperations
import OrderFiles
package import OrderStorage

/// A geocoder on another server, to which one request in a second is sent at most, and none for an address that it has answered in the last 30 days.
package actor Geocoder: AddressGeocoder {
    /// The interval that public geocoders require.
    package static let interval = Duration.seconds(1)
    private static let lifetime = Duration.seconds(30 * 86_400)
    private static let limits = ResponseLimits(bodySize: 4 << 20, time: .seconds(90))
    /// The number of failures in a row after which no more requests are sent.
    private static let failureLimit = 3

    private let template: GeocoderTemplate
    private let client: BackendClient
    private let queue = BackendQueue()
    private var failuresInRow = 0
    /// The last failure; nil while none has happened.
    package private(set) var failure: String?

    /// - Parameters:
    ///   - name: The name and the version of the program, by which the server knows its clients.
    ///   - store: The store of the responses.
    package init(
        _ template: GeocoderTemplate, name: String, executor: some BackendExecutor, store: any BlobStore, interval: Duration = interval,
        clock: some Clock<Duration> = ContinuousClock()
    ) {
        self.template = template
        let paced = RateLimitedExecutor(executor, interval: interval, lifetime: Self.lifetime, clock: clock) {
            (try? Self.response(in: $0)) != nil
        }
        client = BackendClient(
            executor: paced, clock: clock, interceptors: [UserAgentInterceptor(name: name)], retries: RetryControl(),
            cache: HTTPCache(store: store, defaultLifetime: Self.lifetime))
    }

    /// Whether the server failed repeatedly, so that no more requests are sent and only stored answers are used.
    package var hasGivenUp: Bool { failuresInRow >= Self.failureLimit }

    package func coordinate(of address: String) async throws -> Coordinate? {
        guard let url = template.url(of: address) else { return nil }
        var request = BackendRequest(url: url, limits: Self.limits) { try Self.response(in: $0.body) }
        guard !hasGivenUp else {
            request.message.headers[.cacheControl] = "only-if-cached"
            return try await storedCoordinate(request)
        }
        do {
            let response = try await queue.value(of: client.operation(request))
            failuresInRow = 0
            return response.coordinate
        } catch let error as CancellationError {
            throw error
        } catch BackendError.status(404, _, _) {
            // Some services answer so for an address that they do not know.
            failuresInRow = 0
            return nil
        } catch {
            failuresInRow += 1
            failure = SecretRedaction.standard.redacted("\(error)", about: request.message)
            return nil
        }
    }

    /// Returns the place of a stored answer; nil without one, which has the status 504 and must not be requested again.
    private func storedCoordinate(_ request: BackendRequest<GeocoderResponse>) async throws -> Coordinate? {
        do {
            return try await client.withoutRetries().value(of: request).coordinate
        } catch let error as CancellationError {
            throw error
        } catch {
            return nil
        }
    }
}

extension Geocoder {
    private static func response(in body: [UInt8]) throws -> GeocoderResponse { try GeocoderResponse(JSONValue(json: body)) }
}

/// Names the program in each request.
private struct UserAgentInterceptor: RequestInterceptor {
    let name: String

    nonisolated(nonsending) func intercept(_ message: RequestMessage, next: Exchange) async throws -> BackendResponse {
        var message = message
        message.headers[.userAgent] = name
        message.headers[.accept] = "application/json"
        return try await next(message)
    }
}
