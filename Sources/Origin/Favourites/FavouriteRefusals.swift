import HTTPTypes
import Hummingbird
import Synchronization

/// The deliveries of which an origin takes no favourites, so that clients can be tested with a server that says no.
///
/// `PUT /-/refusals/7` begins it for a delivery, `DELETE` ends it. Nothing of it outlives the process.
final class FavouriteRefusals: Sendable {
    static let folder = "/-/refusals"
    /// The most deliveries.
    static let capacity = 1_000

    private let ids = Mutex<Set<Int>>([])

    func contains(_ id: Int) -> Bool { ids.withLock { $0.contains(id) } }

    /// The methods that a path takes; nil when it is none of these.
    static func methods(at path: String) -> [HTTPRequest.Method]? {
        path.hasPrefix(folder + "/") ? [.put, .delete] : nil
    }

    func add(to router: some RouterMethods<OriginContext>) {
        router.put("\(Self.folder)/:id") { _, context in
            let id = try context.parameters.require("id", as: Int.self)
            guard self.insert(id) else {
                throw HTTPError(.serviceUnavailable, message: "Up to \(Self.capacity) deliveries can be refused.")
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
