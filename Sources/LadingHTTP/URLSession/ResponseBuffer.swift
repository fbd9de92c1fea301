/// Decides what is made of a reply that is pushed, for somebody who pulls it: what is handed on, held back, or given up.
///
/// Before the head → in the body → ended. A failure ends it from anywhere. Bytes that arrived before an end are handed on before it is
/// told, except when the reader is no longer interested. Nothing follows an end.
///
/// Times are those that have gone by since the exchange began.
struct ResponseBuffer {
    /// What is read next.
    enum Part {
        case head(ResponseHead)
        case body([UInt8])
        case end
    }

    /// What the connection is told.
    enum Effect: Equatable {
        /// To bring nothing for now.
        case suspend
        /// To go on.
        case resume
        /// To close.
        case close
    }

    /// When a wait is over.
    enum Deadline: Equatable {
        case at(Duration)
        /// Now; the limit that struck.
        case expired(Duration)
        /// Never: it has ended.
        case none
    }

    struct Limits {
        /// How long the head may take.
        var head: Duration
        /// How long nothing may arrive while the reader waits.
        var read: Duration
        /// How many bytes may lie unread.
        var size: Int
        /// Whether the connection can be held; when it cannot, too much unread ends the reply.
        var canSuspend: Bool
    }

    private let limits: Limits
    private var head: ResponseHead?
    private var hasReadHead = false
    private var bytes: [UInt8] = []
    private var isSuspended = false
    /// When something last arrived, or the reader last began to wait.
    private var lastActivity = Duration.zero
    /// Whether the reader waits; at the beginning it does.
    private var isReaderWaiting = true
    private var end: Result<Void, any Error>?

    init(limits: Limits) {
        self.limits = limits
    }

    // MARK: What arrives

    mutating func receive(_ head: ResponseHead, at now: Duration) {
        guard end == nil, self.head == nil else { return }
        self.head = head
        lastActivity = now
    }

    /// - Parameter overrun: What too much unread is called when it cannot be helped.
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

    /// Something moved that is not of the reply: part of the message was sent.
    mutating func recordActivity(at now: Duration) { lastActivity = now }

    /// It ended by itself; what is unread stays to be read.
    mutating func finish(_ result: Result<Void, any Error>) {
        if end == nil { end = result }
    }

    /// It is given up; what is unread is dropped.
    mutating func cancel(with error: any Error) {
        guard end == nil || !bytes.isEmpty else { return }
        end = .failure(error)
        bytes = []
    }

    // MARK: What is read

    var hasHead: Bool { head != nil }

    var hasEnded: Bool { end != nil }

    /// Whether `take` has something to give.
    var isReady: Bool { (head != nil && !hasReadHead) || !bytes.isEmpty || end != nil }

    /// What comes next; nil when nothing has come yet, and the reader waits.
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

    // MARK: Time

    /// When somebody has to look again.
    func deadline(at now: Duration) -> Deadline {
        guard end == nil else { return .none }
        if head == nil, now >= limits.head { return .expired(limits.head) }
        let silence = (isReaderWaiting && !isReady ? lastActivity : now) + limits.read
        if now >= silence { return .expired(limits.read) }
        return .at(head == nil ? min(silence, limits.head) : silence)
    }
}
