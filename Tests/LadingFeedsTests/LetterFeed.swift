import LadingFeeds
import LadingOperations
import LadingTesting
import Synchronization

/// A feed of the alphabet whose rows can wait or fail, with a log of its requests.
final class LetterFeed: Feed {
    typealias Query = LetterQuery

    struct Letter: Identifiable, Codable, Sendable { let id: String }
    struct LoadFailure: Error {}

    struct Log: Sendable {
        var rows: [String] = []
        /// The number of operations that fetch the list.
        var lists = 0
        var cancelled: [String] = []
    }

    /// The gate that rows wait for; nil loads them at once.
    let gate = Mutex<Gate?>(nil)
    /// The progress that rows report before they wait, in bytes.
    let progress = Mutex<(completed: Int, total: Int)?>(nil)
    let failing = Mutex<Set<String>>([])
    let isListBroken = Mutex(false)
    /// The letters that are not in the list.
    let hidden = Mutex<Set<String>>([])
    /// The number that follows the letter in a row.
    let version = Mutex(1)
    /// The retry policy of failed rows.
    let retry = Mutex<OperationRetry?>(nil)
    private let state = Mutex(Log())

    var log: Log { state.withLock { $0 } }

    func list() -> BackendOperation<[Letter]> {
        state.withLock { $0.lists += 1 }
        return BackendOperation("list", key: OperationKey(verb: "list", subject: "letters"), lane: .network("letters"), rules: rules) {
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

/// A query for letters of a text, forwards or backwards.
struct LetterQuery: FeedQuery {
    var text = ""
    var isBackwards = false

    static func indexedFields(of row: String) -> String { row }

    var isDefault: Bool { text.isEmpty && !isBackwards }
    func matches(_ fields: String) -> Bool { text.isEmpty || text.contains(fields.prefix(1)) }
    func isOrderedBefore(_ fields: String, _ others: String) -> Bool { isBackwards && fields > others }
}
