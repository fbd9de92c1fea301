import HTTPTypes
import Hummingbird
import Synchronization

/// The deliveries whose favourites an origin refuses to change, for tests of clients.
///
/// `PUT /-/refusals/7` adds a delivery, `DELETE` removes it. The set is not persisted.
final class FavouriteRejections: Sendable {
    static let folder = "/-/refusals"
    /// The maximum number of deliveries.
    static let capacity = 1_000

    private let ids = Mutex<Set<Int>>([])

    func contains(_ id: Int) -> Bool { ids.withLock { $0.contains(id) } }

    /// Returns the methods that a path allows; nil for paths outside the folder.
    static func methods(at path: String) -> [HTTPRequest.Method]? {
        path.hasPrefix(folder + "/") ? [.put, .delete] : nil
    }

    func add(to router: some RouterMethods<OriginContext>) {
        router.put("\(Self.folder)/:id") { _, context in
            let id = try context.parameters.require("id", as: Int.self)
            guard self.insert(id) else {
                throw HTTPError(.serviceUnavailable, message: "At most \(Self.capacity) deliveries can be refused.")
            }
            return HTTPResponse.Status.noContent
        }
        router.delete("\(Self.folder)/:id") { _, context in
            let id = try context.parameters.require("id", as: Int.self)
            self.ids.withLock { _ = $0.remove(id) }
            return HTTPResponse.Status.noContent
        }
    }

    private func insert(_ id: Int) -> Bool {
        ids.withLock { ids in
            guard ids.count < Self.capacity || ids.contains(id) else { return false }
            ids.insert(id)
            return true
        }
    }
}
