import LadingFeeds
import LadingOperations
import LadingTesting
import Synchronization

/// A feed of three rows whose contents are in its list, with the edition of the list. They are loaded at once.
final class EditionFeed: Feed {
    typealias Query = LetterQuery

    struct Entry: Identifiable, Codable, Sendable {
        let id: String
        let edition: Int
    }

    /// The edition of the next list.
    let edition = Mutex(1)
    /// The gate that lists wait for; nil returns them at once.
    let gate = Mutex<Gate?>(nil)

    func list() -> BackendOperation<[Entry]> {
        BackendOperation("list", key: OperationKey(verb: "list", subject: "editions"), lane: .network("editions")) {
            try await self.gate.withLock { $0 }?.wait()
            let edition = self.edition.withLock { $0 }
            return ["a", "b", "c"].map { Entry(id: $0, edition: edition) }
        }
    }

    func load(_ entry: Entry) -> BackendOperation<String> {
        BackendOperation(entry.id, result: .success("\(entry.id)\(entry.edition)"))
    }
}
