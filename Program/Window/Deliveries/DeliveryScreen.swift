import Deliveries
import Foundation
import LadingOutbox
import LadingRecords
import Synchronization

/// The detail page of a stored delivery.
final class DeliveryScreen: WindowScreen {
    private struct State {
        var record: StoredRecord<Delivery>
        var version = 0
        /// The notice about a reverted favourite mark.
        var notice: Notice?
        /// The key of the last reported rejection.
        var reportedRejection: IdempotencyKey?
        /// Whether the page has an open stream.
        var isStreaming = false
        var tasks: [Task<Void, Never>] = []
    }

    let eventBuffer = EventBuffer<DeliveryID>()
    private let repository: DeliveryRepository
    private let contexts: DeliveryContexts
    private let renderer: PageRenderer
    private let state: Mutex<State>

    init(_ record: StoredRecord<Delivery>, _ repository: DeliveryRepository, _ contexts: DeliveryContexts, _ renderer: PageRenderer) {
        self.repository = repository
        self.contexts = contexts
        self.renderer = renderer
        state = Mutex(State(record: record))
        let id = record.row.id
        let tasks = [
            Task { [weak self, changes = repository.store.changes()] in
                // The record may have changed since it was read.
                await self?.reload(id)
                for await change in changes where change.mayChange(id) { await self?.reload(id) }
            },
            Task { [weak self, rejections = repository.favourites.rejections()] in
                for await rejection in rejections where rejection.id == id { self?.report(rejection) }
            },
        ]
        state.withLock { $0.tasks = tasks }
    }

    /// The current content of the page and its version.
    var content: (record: StoredRecord<Delivery>, version: Int) { state.withLock { ($0.record, $0.version) } }

    func invalidateAll() { publish() }

    func events(for changes: ChangeLog<DeliveryID>.Changes) -> [WindowEvent] {
        guard changes.isScreenChanged else { return [] }
        let (record, version) = content
        let context = contexts.page(record, version: version, sessionID: "")
        let html = renderer.fragment(.deliveryDetail, context)
        let notices = state.withLock { $0.notice.map { [$0] } }
        return [.detail(DetailEvent(version: version, state: "loaded", html: JSONText(html), notices: notices))]
    }

    // No loading to control: the page of a delivery exists only when it is stored.
    func setVisible(_ isVisible: Bool) {
        let rejection = state.withLock { state in
            state.isStreaming = isVisible
            return state.record.unacknowledgedRejection
        }
        if let rejection { report(rejection) }
    }

    func refresh() {}

    func retryFailures(where isRetried: @Sendable (any Error) -> Bool) {
        let image = state.withLock { $0.record.row.imageURL }
        if let image, repository.images.failedImages.markForRetry(image, where: isRetried) { publish() }
    }

    func stop() {
        for task in state.withLock({ $0.tasks }) { task.cancel() }
    }

    /// Reads the record again. A delivery that was removed from the list remains on its page.
    private func reload(_ id: DeliveryID) async {
        guard let record = try? await repository.store.record(of: id) else { return }
        let isChanged = state.withLock { state in
            defer { state.record = record }
            return DeliveryContent(state.record) != DeliveryContent(record)
        }
        if isChanged { publish() }
        if let rejection = record.unacknowledgedRejection { report(rejection) }
    }

    /// Reports a rejection once, to a page with an open stream.
    private func report(_ rejection: FavouriteRejection) {
        let isNew = state.withLock { state in
            guard state.isStreaming, state.reportedRejection != rejection.key else { return false }
            state.reportedRejection = rejection.key
            let text = contexts.texts.rejectionMessage(rejection, title: contexts.title(of: state.record.row))
            state.notice = Notice(rejection, text, after: state.notice, at: repository.now())
            return true
        }
        guard isNew else { return }
        publish()
        repository.favourites.acknowledge(rejection)
    }

    private func publish() {
        state.withLock { $0.version += 1 }
        eventBuffer.record { $0.recordScreenChange() }
    }
}

extension Notice {
    /// Creates a notice about no row.
    init(_ text: String, at time: Date) {
        self.init(number: time.millisecondsSince1970, row: "", favourite: false, text: text)
    }

    /// Creates a notice about a reverted favourite mark.
    ///
    /// Its number is the time in milliseconds since 1970, because a page remembers the last number across sessions.
    init(_ rejection: FavouriteRejection, _ text: String, after earlier: Notice?, at now: Date) {
        let number = max((earlier?.number ?? 0) + 1, now.millisecondsSince1970)
        self.init(number: number, row: "\(rejection.id)", favourite: !rejection.isFavourite, text: text)
    }
}

extension RecordChange {
    /// Whether the change may affect a row.
    fileprivate func mayChange(_ id: ID) -> Bool { rows?.contains(id) ?? true }
}
