import Foundation
public import LadingFeeds
public import LadingHTTP
public import LadingOperations
import Synchronization

/// The pages of a list of deliveries, fetched through a queue: first the download in the lane of its host, then the reading in that of the processor.
///
/// ```swift
/// let pages = DeliveryPages(DeliveryList(url: url), client: client, queue: queue)
/// let list = PagedList(store: store, source: pages)
/// ```
///
/// Screens that want the same page at the same time share a flight. The first page begins a refresh: neither it nor any page behind it joins a flight that began before.
public final class DeliveryPages: PageSource {
    /// How many deliveries are asked for at a time.
    public static let pageLength = 20

    public let list: DeliveryList
    public var paging: any Paging { offsets }

    private let offsets: OffsetPaging
    private let client: BackendClient
    private let queue: BackendQueue
    private let consumer: OperationConsumer
    private let partition: String
    private let refreshEpoch = Mutex<QueueEpoch?>(nil)

    /// - Parameters:
    ///   - viewer: For whom the pages are fetched; lanes are shared fairly among viewers.
    ///   - partition: Whose list it is; flights are not shared across partitions.
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
            "read deliveries from \(offset)", key: OperationKey(partition: partition, verb: "read deliveries", subject: url.absoluteString),
            lane: .cpu, after: client.operation(BackendRequest(url: url), partition: partition)
        ) { response in
            do throws(DeliveryDocumentError) {
                return try DeliveryDocument(response.body, of: list).page
            } catch {
                throw BackendError.decodingFailed(response.url, cause: error)
            }
        }
    }
}
