import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// The routes of favourites: `/v1/deliveries/7/favourite`, and `/v2/deliveries/KEY/favourite` for the ids of version 2.
///
/// | method | effect |
/// |---|---|
/// | GET | returns the current state: `{"id":7,"favourite":true,"at":"2026-05-15T12:00:00Z"}` |
/// | PUT | stores `{"favourite": true, "at": "2026-05-15T12:00:00Z"}` unless the stored state is newer; returns the current state |
/// | DELETE | equals a PUT of `false` with the present time |
///
/// PUT and DELETE require an `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header-07): 400 without one, 409 while a request with it is in
/// progress, 422 when it was used for another request, and the stored response when it was used for this one, also after a restart. 404 for a
/// delivery that does not exist, 403 for one in the rejections. The origin has a single user.
struct FavouriteRoutes: Sendable {
    private let deliveries: any DeliveryStore
    private let favourites: any FavouriteStore
    private let now: @Sendable () -> Date
    private let rejections: FavouriteRejections
    private let keys = KeysInUse()

    init(
        deliveries: any DeliveryStore, favourites: any FavouriteStore, rejections: FavouriteRejections, now: @escaping @Sendable () -> Date
    ) {
        self.deliveries = deliveries
        self.favourites = favourites
        self.rejections = rejections
        self.now = now
    }

    func add(to router: some RouterMethods<OriginContext>) {
        for version in [DeliveryVersion.first, .second] {
            let path = RouterPath("\(version.rawValue)/:id/favourite")
            router.get(path) { _, context in
                let target = try await target(context, version)
                let text = target.document(try await favourites.favourite(ofDelivery: target.id))
                return Representation(ByteBuffer(string: text), of: .page, lastModified: nil)
            }
            for method in [HTTPRequest.Method.put, .delete] {
                router.on(path, method: method) { request, context in
                    let target = try await target(context, version)
                    do { return try await setFavourite(target, request) } catch let problem as IdempotencyProblem {
                        return problem.response
                    }
                }
            }
        }
    }

    private func setFavourite(_ target: Target, _ request: Request) async throws -> Response {
        let key = try IdempotencyKey(request.headers)
        let favourite = try await keys.withKey(key) {
            let now = now()
            let action = try await action(in: request, now: now)
            let request = FavouriteRequest(
                action: action.believed, delivery: target.id, key: key,
                fingerprint: "\(request.method) \(request.uri.path) \(action.said)")
            return try await favourites.perform(request, at: now) {
                guard !rejections.contains(target.id) else { throw HTTPError(.forbidden, message: "This favourite cannot be changed.") }
            }
        }
        return Response(
            status: .ok, headers: [.contentType: "application/json", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: target.document(favourite))))
    }

    /// Returns the action with a plausible timestamp, and the part of the request that its fingerprint covers.
    ///
    /// The fingerprint contains a timestamp only if the request does.
    private func action(in request: Request, now: Date) async throws -> (believed: FavouriteAction, said: String) {
        guard request.method == .put else { return (FavouriteAction(isFavourite: false, timestamp: ActionTimestamp(now)), "") }
        let action = try await FavouriteAction(bodyOf: request)
        let clamped = FavouriteAction(isFavourite: action.isFavourite, timestamp: action.timestamp.clamped(toNow: now))
        return (clamped, "\(action.isFavourite) \(action.timestamp.milliseconds)")
    }

    private func target(_ context: OriginContext, _ version: DeliveryVersion) async throws -> Target {
        let text = try context.parameters.require("id")
        switch version {
        case .second:
            guard let key = DeliveryKey(text), let id = try await deliveries.index(of: key) else { throw HTTPError(.notFound) }
            return Target(id: id, key: key, version: version)
        case .original, .first:
            guard let id = Int(text), String(id) == text, let key = try await deliveries.deliveryKey(at: id) else {
                throw HTTPError(.notFound)
            }
            return Target(id: id, key: key, version: version)
        }
    }
}

extension FavouriteRoutes {
    /// The delivery that a path identifies, and the version of the path.
    private struct Target {
        let id: Int
        let key: DeliveryKey
        let version: DeliveryVersion

        func document(_ favourite: Favourite) -> String {
            favourite.document(id: version == .second ? nil : id, key: key)
        }
    }
}
