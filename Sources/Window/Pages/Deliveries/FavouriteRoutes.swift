import Deliveries
import Foundation
import HTTPTypes
import Hummingbird
import LadingFeeds
import LadingHTTP

/// What readers mark: from scripts, with a key and a time of their own, and from forms without.
struct FavouriteRoutes: Sendable {
    let board: DeliveryBoard

    func add(to router: Router<WindowContext>) {
        router.put("/deliveries/:id/favourite") { request, context in
            try await mark(context.delivery, request.report(FavouriteWish.self, context), key: request.headers[.idempotencyKey])
        }
        router.post("/deliveries/:id/favourite") { request, context in try await form(request, context) }
    }

    private struct Answer: ResponseCodable {
        let id: String
        /// What is shown now.
        let favourite: Bool
    }

    private func mark(_ id: DeliveryID, _ wish: FavouriteWish, key: String?) async throws -> Answer {
        guard let key = IdempotencyKey(field: key), let moment = wish.moment else { throw Refusal.unreadable }
        try await keep(wish.favourite, id, key, moment)
        let shown = try await board.store.record(of: id)?.shown.isFavourite
        return Answer(id: id.description, favourite: shown ?? wish.favourite)
    }

    private func form(_ request: Request, _ context: WindowContext) async throws -> Response {
        let id = try context.delivery
        guard let body = try? await request.body.collect(upTo: context.maxUploadSize) else { throw Refusal.tooLong }
        guard let isFavourite = FormFields(String(buffer: body))["favourite"].flatMap(Bool.init) else { throw Refusal.unreadable }
        try await keep(isFavourite, id, board.makeKey(), board.now())
        return .redirect(to: Self.wayBack(request.headers[.referer], id), type: .normal)
    }

    private func keep(_ isFavourite: Bool, _ id: DeliveryID, _ key: IdempotencyKey, _ moment: Date) async throws {
        guard try await board.store.record(of: id) != nil else { throw Refusal.noSuchDelivery }
        do {
            try await board.favourites.set(isFavourite, of: id, key: key, at: moment)
        } catch OutboxError.keyReused {
            throw Refusal.unreadable
        } catch OutboxError.diskFull {
            throw Refusal.diskFull
        } catch {
            throw Refusal.notKept
        }
    }

    /// The page that the form stood on, by its path alone, wherever the address says that it was.
    private static func wayBack(_ referer: String?, _ id: DeliveryID) -> String {
        guard let page = referer.flatMap({ URLComponents(string: $0) }), page.path == "/deliveries" else {
            return "/deliveries/\(id.description.asURLComponent)?plain=1"
        }
        return page.percentEncodedQuery.map { "/deliveries?\($0)" } ?? "/deliveries"
    }
}
