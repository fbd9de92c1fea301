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

    private let offsets: OffsetPaging
    private let client: BackendClient
    private let queue: BackendQueue
    private let consumer: OperationConsumer
    private let partition: String
    private let refreshEpoch = Mutex<QueueEpoch?>(nil)

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

    /// Fetches a page through the queue; the first page begins a refresh.
    ///
    /// - Throws: `BackendError`, or `CancellationError` when the task is cancelled.
    public func page(at key: PageKey) async throws -> SourcePage<Delivery> {
        let start = refreshEpoch.withLock { refresh in
            if key == offsets.first { refresh = queue.epoch }
            return refresh
        }
        do {
            return try await queue.value(of: operation(offsets.place(of: key) ?? 0), priority: .visible, for: consumer, noOlderThan: start)
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
