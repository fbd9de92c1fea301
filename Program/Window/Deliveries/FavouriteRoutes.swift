import Deliveries
import Foundation
import HTTPFieldValues
import HTTPTypes
import Hummingbird
import LadingOutbox
import LadingRecords

/// The routes that set favourite marks: for scripts with a key and a timestamp, and for forms without.
struct FavouriteRoutes: Sendable {
    let repository: DeliveryRepository

    func add(to router: Router<WindowContext>) {
        router.put("/deliveries/:id/favourite") { request, context in
            try await setFavourite(
                context.delivery, request.decodeBody(FavouriteRequest.self, context), key: request.headers[.idempotencyKey])
        }
        router.post("/deliveries/:id/favourite") { request, context in try await form(request, context) }
    }

    private struct FavouriteResponse: ResponseCodable {
        let id: String
        /// Whether the delivery is shown as a favourite now.
        let favourite: Bool
    }

    private func setFavourite(_ id: DeliveryID, _ favouriteRequest: FavouriteRequest, key: String?) async throws -> FavouriteResponse {
        guard let key = IdempotencyKey(field: key), let date = favouriteRequest.date else { throw PageError.malformedRequest }
        try await storeFavourite(favouriteRequest.favourite, id, key, date)
        let current = try await repository.store.record(of: id)?.withLocalChanges.isFavourite
        return FavouriteResponse(id: id.description, favourite: current ?? favouriteRequest.favourite)
    }

    private func form(_ request: Request, _ context: WindowContext) async throws -> Response {
        let id = try context.delivery
        let body = try await request.readBody(upTo: context.maxUploadSize)
        guard let isFavourite = FormFields(String(buffer: body))["favourite"].flatMap(Bool.init) else { throw PageError.malformedRequest }
        try await storeFavourite(isFavourite, id, repository.makeKey(), repository.now())
        return .redirect(to: Self.returnPath(request.headers[.referer], id), type: .normal)
    }

    private func storeFavourite(_ isFavourite: Bool, _ id: DeliveryID, _ key: IdempotencyKey, _ date: Date) async throws {
        guard try await repository.store.record(of: id) != nil else { throw PageError.noSuchDelivery }
        do {
            try await repository.favourites.set(isFavourite, of: id, key: key, at: date)
        } catch OutboxError.keyReused {
            throw PageError.malformedRequest
        } catch OutboxError.diskFull {
            throw PageError.diskFull
        } catch {
            throw PageError.notStored
        }
    }

    /// Returns the path of the page with the form; only the path of the `Referer` is used, never its host.
    private static func returnPath(_ referer: String?, _ id: DeliveryID) -> String {
        guard let page = referer.flatMap({ URLComponents(string: $0) }), page.path == "/deliveries" else {
            return "/deliveries/\(id.description.percentEncodedComponent)?plain=1"
        }
        return page.percentEncodedQuery.map { "/deliveries?\($0)" } ?? "/deliveries"
    }
}
