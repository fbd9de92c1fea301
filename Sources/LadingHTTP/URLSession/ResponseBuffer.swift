/// A bounded buffer between a connection that pushes a response and a reader that pulls it.
///
/// Before the head → in the body → ended. A failure ends it in any state. Bytes that arrived before an end are delivered before it, unless the
/// response was cancelled. Nothing follows an end.
///
/// Times are measured from the start of the exchange.
struct ResponseBuffer {
    /// The next part of a response.
    enum Part {
        case head(ResponseHead)
        case body([UInt8])
        case end
    }

    /// A command to the connection.
    enum Effect: Equatable {
        /// Stops delivering data until it is resumed.
        case suspend
        /// Resumes delivering data.
        case resume
        /// Closes the connection.
        case close
    }

    /// The end of the current wait.
    enum Deadline: Equatable {
        case at(Duration)
        /// The wait is over; with the limit that has expired.
        case expired(Duration)
        /// The response has ended.
        case none
    }

    struct Limits {
        /// The time limit of the head.
        var head: Duration
        /// The maximum time without data while the reader waits.
        var read: Duration
        /// The maximum number of unread bytes.
        var size: Int
        /// Whether the connection can be suspended; otherwise too many unread bytes end the response.
        var canSuspend: Bool
    }

    private let limits: Limits
    private var head: ResponseHead?
    private var hasReadHead = false
    private var bytes: [UInt8] = []
    private var isSuspended = false
    /// The time at which data arrived last, or the reader started to wait.
    private var lastActivity = Duration.zero
    /// Whether the reader waits, as it does at the beginning.
    private var isReaderWaiting = true
    private var end: Result<Void, any Error>?

    init(limits: Limits) {
        self.limits = limits
    }

    // MARK: Receiving

    mutating func receive(_ head: ResponseHead, at now: Duration) {
        guard end == nil, self.head == nil else { return }
        self.head = head
        lastActivity = now
    }

    /// Appends received bytes, and suspends the connection when too many are unread.
    ///
    /// - Parameter overrun: The error when too many bytes are unread and the connection cannot be suspended.
    mutating func receive(_ chunk: some Collection<UInt8>, at now: Duration, overrun: @autoclosure () -> any Error) -> Effect? {
        guard end == nil else { return nil }
        bytes += chunk
        lastActivity = now
        guard bytes.count > limits.size, !isSuspended else { return nil }
        guard limits.canSuspend else {
            cancel(with: overrun())
            return .close
        }
        isSuspended = true
        return .suspend
    }

    /// Records activity other than the response: the exchange began, or part of the message was sent.
    mutating func recordActivity(at now: Duration) { lastActivity = now }

    /// Ends the response; unread bytes can still be read.
    mutating func finish(_ result: Result<Void, any Error>) {
        if end == nil { end = result }
    }

    /// Cancels the response; unread bytes are dropped.
    mutating func cancel(with error: any Error) {
        guard end == nil || !bytes.isEmpty else { return }
        end = .failure(error)
        bytes = []
    }

    // MARK: Reading

    var hasHead: Bool { head != nil }

    var hasEnded: Bool { end != nil }

    /// Whether `next` has a part or an error.
    var isReady: Bool { (head != nil && !hasReadHead) || !bytes.isEmpty || end != nil }

    /// Returns the next part; nil when the reader has to wait for it.
    mutating func next(at now: Duration) throws -> (part: Part, effect: Effect?)? {
        guard isReady else {
            if !isReaderWaiting { (isReaderWaiting, lastActivity) = (true, now) }
            return nil
        }
        isReaderWaiting = false
        if let head, !hasReadHead {
            hasReadHead = true
            return (.head(head), nil)
        }
        if !bytes.isEmpty {
            defer { (bytes, isSuspended) = ([], false) }
            return (.body(bytes), isSuspended ? .resume : nil)
        }
        try end?.get()
        return (.end, nil)
    }

    // MARK: Deadlines

    /// Returns the time at which the limits are to be checked again.
    func deadline(at now: Duration) -> Deadline {
        guard end == nil else { return .none }
        if head == nil, now >= limits.head { return .expired(limits.head) }
        let silence = (isReaderWaiting && !isReady ? lastActivity : now) + limits.read
        if now >= silence { return .expired(limits.read) }
        return .at(head == nil ? min(silence, limits.head) : silence)
    }
}
