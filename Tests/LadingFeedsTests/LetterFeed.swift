import LadingFeeds
import LadingOperations
import LadingTesting
import Synchronization

/// A feed of the alphabet, whose rows can be held back or fail, and which remembers what was asked of it.
final class LetterFeed: Feed {
    typealias Query = LetterQuery

    struct Letter: Identifiable, Codable, Sendable { let id: String }
    struct LoadFailure: Error {}

    struct Log: Sendable {
        var rows: [String] = []
        var cancelled: [String] = []
    }

    /// What rows wait for; nil when they are there at once.
    let gate = Mutex<Gate?>(nil)
    /// What rows tell of their progress before they wait: bytes that have come, of all.
    let progress = Mutex<(completed: Int, total: Int)?>(nil)
    let failing = Mutex<Set<String>>([])
    let isListBroken = Mutex(false)
    /// Letters that are not in the list.
    let hidden = Mutex<Set<String>>([])
    /// Printed behind the letter.
    let version = Mutex(1)
    /// Whether what fails is tried again.
    let retry = Mutex<OperationRetry?>(nil)
    private let state = Mutex(Log())

    var log: Log { state.withLock { $0 } }

    func list() -> BackendOperation<[Letter]> {
        BackendOperation("list", key: OperationKey(verb: "list", subject: "letters"), lane: .network("letters"), rules: rules) {
            if self.isListBroken.withLock({ $0 }) { throw LoadFailure() }
            let hidden = self.hidden.withLock { $0 }
            return (UInt8(ascii: "a")...UInt8(ascii: "z")).map { Letter(id: String(UnicodeScalar($0))) }
                .filter { !hidden.contains($0.id) }
        }
    }

    private var rules: OperationRules { OperationRules(retry: retry.withLock { $0 }) }

    func load(_ letter: Letter) -> BackendOperation<String> {
        BackendOperation(letter.id, key: OperationKey(verb: "row", subject: letter.id), lane: .network("letters"), rules: rules) {
            let edition = self.version.withLock { $0 }
            self.state.withLock { $0.rows.append(letter.id) }
            if let (completed, total) = self.progress.withLock({ $0 }) {
                OperationProgress.current?.report(completed: completed, total: total)
            }
            do {
                try await self.gate.withLock { $0 }?.wait()
            } catch {
                self.state.withLock { $0.cancelled.append(letter.id) }
                throw error
            }
            if self.failing.withLock({ $0.contains(letter.id) }) { throw LoadFailure() }
            return "\(letter.id)\(edition)"
        }
    }
}

extension FeedRowState<String> {
    var isLoaded: Bool { row != nil }
}

/// Letters that contain a text, in their order or backwards.
struct LetterQuery: FeedQuery {
    var text = ""
    var isBackwards = false

    static func indexedFields(of row: String) -> String { row }

    var isDefault: Bool { text.isEmpty && !isBackwards }
    func matches(_ facts: String) -> Bool { text.isEmpty || text.contains(facts.prefix(1)) }
    func precedes(_ facts: String, _ others: String) -> Bool { isBackwards && facts > others }
}
