/// Decides what is made of a reply that is pushed, for somebody who pulls it: what is handed on, held back, or given up.
///
/// Before the head → in the body → ended. A failure ends it from anywhere. Bytes that arrived before an end are handed on before it is
/// told, except when the reader is no longer interested. Nothing follows an end.
///
/// Times are those that have gone by since the exchange began.
struct ReplyIntake {
    /// What is read next.
    enum Part {
        case head(ReplyHead)
        case body([UInt8])
        case end
    }

    /// What the connection is told.
    enum Effect: Equatable {
        /// To bring nothing for now.
        case hold
        /// To go on.
        case release
        /// To close.
        case close
    }

    /// When a wait is over.
    enum Deadline: Equatable {
        case at(Duration)
        /// Now; the limit that struck.
        case missed(Duration)
        /// Never: it has ended.
        case none
    }

    struct Limits {
        /// How long the head may take.
        var head: Duration
        /// How long nothing may arrive while the reader waits.
        var silence: Duration
        /// How many bytes may lie unread.
        var unread: Int
        /// Whether the connection can be held; when it cannot, too much unread ends the reply.
        var canHold: Bool
    }

    private let limits: Limits
    private var head: ReplyHead?
    private var hasReadHead = false
    private var unread: [UInt8] = []
    private var isHeld = false
    /// When something last arrived, or the reader last began to wait.
    private var quietSince = Duration.zero
    /// Whether the reader waits; at the beginning it does.
    private var isAwaited = true
    private var end: Result<Void, any Error>?

    init(limits: Limits) {
        self.limits = limits
    }

    // MARK: What arrives

    mutating func arrive(_ head: ReplyHead, at now: Duration) {
        guard end == nil, self.head == nil else { return }
        self.head = head
        quietSince = now
    }

    /// - Parameter overrun: What too much unread is called when it cannot be helped.
    mutating func arrive(_ bytes: some Collection<UInt8>, at now: Duration, overrun: @autoclosure () -> any Error) -> Effect? {
        guard end == nil else { return nil }
        unread += bytes
        quietSince = now
        guard unread.count > limits.unread, !isHeld else { return nil }
        guard limits.canHold else {
            abandon(overrun())
            return .close
        }
        isHeld = true
        return .hold
    }

    /// Something moved that is not of the reply: part of the message was sent.
    mutating func move(at now: Duration) { quietSince = now }

    /// It ended by itself; what is unread stays to be read.
    mutating func finish(_ result: Result<Void, any Error>) {
        if end == nil { end = result }
    }

    /// It is given up; what is unread is dropped.
    mutating func abandon(_ error: any Error) {
        guard end == nil || !unread.isEmpty else { return }
        end = .failure(error)
        unread = []
    }

    // MARK: What is read

    var hasHead: Bool { head != nil }

    var hasEnded: Bool { end != nil }

    /// Whether `take` has something to give.
    var isReady: Bool { (head != nil && !hasReadHead) || !unread.isEmpty || end != nil }

    /// What comes next; nil when nothing has come yet, and the reader waits.
    mutating func take(at now: Duration) throws -> (part: Part, effect: Effect?)? {
        guard isReady else {
            if !isAwaited { (isAwaited, quietSince) = (true, now) }
            return nil
        }
        isAwaited = false
        if let head, !hasReadHead {
            hasReadHead = true
            return (.head(head), nil)
        }
        if !unread.isEmpty {
            defer { (unread, isHeld) = ([], false) }
            return (.body(unread), isHeld ? .release : nil)
        }
        try end?.get()
        return (.end, nil)
    }

    // MARK: Time

    /// When somebody has to look again.
    func deadline(at now: Duration) -> Deadline {
        guard end == nil else { return .none }
        if head == nil, now >= limits.head { return .missed(limits.head) }
        let silence = (isAwaited && !isReady ? quietSince : now) + limits.silence
        if now >= silence { return .missed(limits.silence) }
        return .at(head == nil ? min(silence, limits.head) : silence)
    }
}
