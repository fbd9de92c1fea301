public import Foundation
import LadingCaching
public import LadingFeeds
public import LadingHTTP
public import LadingOperations
import Synchronization

/// A catalog of the items that orders contain, loaded in the background and cached.
///
/// Failures are cached too, so that a thousand orders with the same missing item request it once; `clearFailures()` allows them to be retried.
public final class ItemCatalog: Sendable {
    private struct State {
        var references: Result<[Int: OrderReference], any Error>?
        /// The stored and loaded items by id; empty without an archive.
        var archived: [Int: Item] = [:]
        /// Whether the stored items were read. No items are written before that.
        var isRestored = false
        var failures: [Int: any Error] = [:]
    }

    /// The maximum number of cached items.
    private static let itemLimit = 20_000

    private let itemsURL: URL
    private let client: BackendClient
    private let archive: RecordArchive?
    private let state = Mutex(State())
    private let items = MemoryCache<Int, Item>(costLimit: itemLimit)

    /// Creates a catalog without loaded items.
    ///
    /// - Parameters:
    ///   - itemsURL: The URL of `items.plist`.
    ///   - archive: The archive that persists items across launches; nil stores none.
    public init(itemsURL: URL, client: BackendClient, archive: RecordArchive? = nil) {
        self.itemsURL = itemsURL
        self.client = client
        self.archive = archive
    }

    /// Returns the item of an id if it is loaded, otherwise the one stored by an earlier process.
    public func cachedItem(_ id: Int) -> Item? { items.value(for: id) ?? state.withLock { $0.archived[id] } }

    /// Whether an item was loaded in this process.
    func isLoaded(_ id: Int) -> Bool { items.value(for: id) != nil }

    /// Reads the items stored by an earlier process. Does nothing after the first call.
    public func restore() async {
        guard let archive, state.withLock({ !$0.isRestored }) else { return }
        let stored = await archive.value(named: Self.archiveName, as: [Item].self)?.value ?? []
        let hasLoaded = state.withLock { state in
            guard !state.isRestored else { return false }
            state.isRestored = true
            let hasLoaded = !state.archived.isEmpty
            state.archived.merge(stored.map { ($0.id, $0) }, uniquingKeysWith: { loaded, _ in loaded })
            return hasLoaded
        }
        if hasLoaded { archiveItems() }
    }

    private static let archiveName = "items"

    private func store(_ item: Item) {
        items.store(item, for: item.id)
        guard archive != nil else { return }
        let isRestored = state.withLock { state in
            guard state.archived.count < Self.itemLimit else { return false }
            state.archived[item.id] = item
            return state.isRestored
        }
        if isRestored { archiveItems() }
    }

    /// Stores all known items, including those that become known before the write.
    private func archiveItems() {
        archive?.put(named: Self.archiveName) { self.archived }
    }

    private var archived: [Item] { state.withLock { $0.archived }.values.sorted { $0.id < $1.id } }

    /// Returns an order with its items filled in from the catalog, as far as they are known.
    public func joined(_ order: Order) -> Order {
        var order = order
        for index in order.items.indices { order.items[index].item = order.items[index].id.flatMap(cachedItem) }
        return order
    }

    /// Returns an operation that loads all items of the catalog; items that cannot be loaded are omitted.
    public func all() -> BackendOperation<[Item]> {
        BackendOperation(
            "catalog", lane: .cpu, after: references(),
            then: { references in
                let loads = references.keys.sorted().prefix(Self.itemLimit).map { self.item($0) }
                return BackendOperation("all items", lane: .cpu, afterCompletionOf: loads) { $0.compactMap { try? $0.get() } }
            })
    }

    /// Returns an operation that loads the item of an id.
    ///
    /// The operation fails with `OrderDocumentError.unknownItem` when the catalog has no such item.
    public func item(_ id: Int) -> BackendOperation<Item> {
        if let item = items.value(for: id) { return BackendOperation("item \(id)", result: .success(item)) }
        if let error = state.withLock({ $0.failures[id] }) {
            return BackendOperation("item \(id)", result: .failure(error))
        }
        return BackendOperation(
            "item \(id)", lane: .cpu, after: references(),
            then: { references in
                guard let reference = references[id] else { throw OrderDocumentError.unknownItem(id) }
                return self.load(id, reference)
            })
    }

    /// Returns the error that an item failed with; nil when it was not requested or is loaded.
    public func failure(of id: Int) -> (any Error)? {
        state.withLock { state in
            if let error = state.failures[id] { return error }
            if case .failure(let error) = state.references { return error }
            return nil
        }
    }

    /// Removes the cached failures, so that the next request of a failed item loads it again.
    public func clearFailures() {
        state.withLock { state in
            state.failures = [:]
            if case .failure = state.references { state.references = nil }
        }
    }

    private func references() -> BackendOperation<[Int: OrderReference]> {
        if let known = state.withLock({ $0.references }) {
            return BackendOperation("items", result: known)
        }
        let operation = BackendOperation("items", lane: .cpu, after: client.referenceList(itemsURL)) { list in
            Dictionary(
                list.compactMap { reference in reference.id.number.map { ($0, reference) } }, uniquingKeysWith: { first, _ in first })
        }
        operation.onResult { result in
            if case .failure(is CancellationError) = result { return }
            self.state.withLock { $0.references = result }
        }
        return operation
    }

    private func load(_ id: Int, _ reference: OrderReference) -> BackendOperation<Item> {
        let operation = client.document(reference, in: itemsURL) { try Item(id: id, document: $0.body, charset: $0.charset, at: $0.url) }
        operation.onResult { result in
            switch result {
            case .success(let item): self.store(item)
            case .failure(is CancellationError): break
            case .failure(let error): self.state.withLock { $0.failures[id] = error }
            }
        }
        return operation
    }
}
