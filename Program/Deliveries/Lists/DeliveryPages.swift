import Foundation
import HTTPTypes
public import LadingHTTP
public import LadingOperations
public import LadingRecords
import Synchronization

/// The pages of a list of deliveries, fetched through a queue: downloaded in the lane of the host, then parsed in the CPU lane.
///
/// ```swift
/// let pages = DeliveryPages(DeliveryList(url: url), client: client, queue: queue)
/// let list = PagedList(store: store, source: pages)
/// ```
///
/// Concurrent requests for a page share a flight. The first page begins a refresh: neither it nor the pages after it join a flight that
/// began earlier.
public final class DeliveryPages: PageSource {
    /// The default number of deliveries of a page.
    public static let pageLength = 20

    public let list: DeliveryList
    public var paging: any Paging { offsets }

    /// The fetches since the first page was last requested.
    private struct Refresh {
        /// The time of that request; nil before the first one.
        var start: QueueEpoch?
        /// The number of rows that could not be decoded.
        var skippedCount = 0
    }

    private let offsets: OffsetPaging
    private let client: BackendClient
    private let queue: BackendQueue
    private let consumer: OperationConsumer
    private let partition: String
    private let refresh = Mutex(Refresh())

    /// Creates a source of the pages of a list.
    ///
    /// - Parameters:
    ///   - consumer: The consumer that the pages are fetched for; lanes are shared fairly among consumers.
    ///   - partition: The user that the list belongs to; flights are not shared across partitions.
    public init(
        _ list: DeliveryList, client: BackendClient, queue: BackendQueue, consumer: OperationConsumer = .none, partition: String = "",
        pageLength: Int = DeliveryPages.pageLength
    ) {
        self.list = list
        self.client = client
        self.queue = queue
        self.consumer = consumer
        self.partition = partition
        offsets = OffsetPaging(pageLength: pageLength)
    }

    /// The number of rows that could not be decoded, in all pages that were fetched since the last refresh began.
    package var skippedCount: Int { refresh.withLock { $0.skippedCount } }

    /// Fetches a page through the queue; the first page begins a refresh.
    ///
    /// - Throws: `BackendError`, or `CancellationError` when the task is cancelled.
    public func page(at key: PageKey) async throws -> SourcePage<Delivery> {
        let start = refresh.withLock { refresh in
            if key == offsets.first { refresh = Refresh(start: queue.epoch) }
            return refresh.start
        }
        do {
            let operation = operation(offsets.place(of: key) ?? 0)
            let page = try await queue.value(of: operation, priority: .visible, for: consumer, noOlderThan: start)
            refresh.withLock { if $0.start == start { $0.skippedCount += page.skipped } }
            return page
        } catch {
            throw OperationError.rootCause(of: error)
        }
    }

    private func operation(_ offset: Int) -> BackendOperation<SourcePage<Delivery>> {
        let url = list.pageURL(offset: offset, limit: offsets.pageLength)
        let list = list.url
        return BackendOperation(
            "read deliveries from \(offset)", key: .action("read deliveries", on: url.absoluteString, partition: partition),
            lane: .cpu, after: client.operation(BackendRequest(url: url), partition: partition)
        ) { response in
            guard response.status != .noContent else { return SourcePage([]) }
            do throws(DeliveryDocumentError) {
                return try DeliveryDocument(response.body, of: list).page
            } catch {
                throw BackendError.decodingFailed(response.url, cause: error)
            }
        }
    }
}
