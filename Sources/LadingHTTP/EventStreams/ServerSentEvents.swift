/// The events of an event stream, parsed from the chunks of a response as they arrive.
///
/// ```swift
/// let client = BackendClient(executor: URLSessionExecutor(readTimeout: .seconds(120)))
/// try await client.exchange(message) { head, body, url in
///     for try await event in ServerSentEvents(body) { show(event) }
/// }
/// ```
///
/// The `readTimeout` of an executor, 10 s by default, ends every stream that is silent for longer, with `BackendError.timedOut`: it must be longer than
/// the interval at which the server sends events or comments. Each stream also occupies a connection (`connectionsPerHost`), except over HTTP/2.
///
/// The next chunk is requested once all events of the previous ones were read. Iteration ends with the chunks, and throws
/// `EventStreamError.eventTooLong` and the errors of the chunks.
public struct ServerSentEvents<Chunks: AsyncSequence>: AsyncSequence where Chunks.Element == [UInt8] {
    public typealias Element = ServerSentEvent

    private let chunks: Chunks
    private let eventLimit: Int

    /// Creates the events of a stream of chunks.
    ///
    /// - Parameter eventLimit: The maximum size of an event, in bytes.
    public init(_ chunks: Chunks, eventLimit: Int = EventStreamParser.eventLimit) {
        self.chunks = chunks
        self.eventLimit = eventLimit
    }

    public func makeAsyncIterator() -> Iterator {
        Iterator(chunks: chunks.makeAsyncIterator(), parser: EventStreamParser(eventLimit: eventLimit))
    }

    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var chunks: Chunks.AsyncIterator
        fileprivate var parser: EventStreamParser
        private var events: ArraySlice<ServerSentEvent> = []

        fileprivate init(chunks: Chunks.AsyncIterator, parser: EventStreamParser) {
            self.chunks = chunks
            self.parser = parser
        }

        public nonisolated(nonsending) mutating func next() async throws -> ServerSentEvent? {
            while events.isEmpty {
                guard let chunk = try await chunks.next(isolation: #isolation) else { return nil }
                events = try parser.parse(chunk)[...]
            }
            return events.removeFirst()
        }
    }
}
