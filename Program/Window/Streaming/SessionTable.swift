import ServerStartup

/// The maximum numbers of open pages.
struct PageLimits: Sendable {
    /// The limit for all clients.
    var total = WindowConfiguration.defaultPages
    /// The limit per client.
    var perClient = WindowConfiguration.defaultPagesPerClient
    /// The limit for rendered pages that have not connected.
    var rendered = WindowSessions.renderedLimit
}

/// The sessions of pages, with their limits and evictions. A value for the lock of `WindowSessions`.
///
/// | event | session |
/// |---|---|
/// | a page is rendered | takes one of a few slots, so that pages that never connect are cheap; a page whose session was evicted opens another |
/// | a page connects, by its stream or by `POST /windows` | is retained while it has a stream, and for a limited time without one |
/// | a page connects beyond a limit | replaces the session, of that client or of any, that has had no stream for the longest time |
/// | a page without a session opens a stream | counts as a connected page while it has the stream |
struct SessionTable: Sendable {
    /// The result of admitting a page.
    enum Admission: Sendable {
        case gone
        case full
        case accepted(WindowSession, evicted: WindowSession?)
    }

    private struct Page: Sendable {
        let session: WindowSession
        /// The address of the client; nil where it is unknown, which exempts the page from the limit per client.
        let client: ClientAddress?
    }

    private let limits: PageLimits
    private var connected: [String: Page] = [:]
    /// The ids of the connected pages by client.
    private var idsByClient: [ClientAddress: Set<String>] = [:]
    /// The numbers of streams of pages without a session, in total and by client.
    private var streamCount = 0
    private var streamCounts: [ClientAddress: Int] = [:]
    /// The sessions of pages that have not connected, oldest first.
    private var rendered: [WindowSession] = []
    /// The time before which no session of another client can be evicted: all have a stream or may still open one.
    private var fullUntil = Duration.zero

    init(_ limits: PageLimits) {
        self.limits = limits
    }

    var all: [WindowSession] { rendered + connected.values.map(\.session) }

    /// Whether any page has a stream.
    var hasReaders: Bool { connected.values.contains { $0.session.hasStream } }

    subscript(id: String) -> WindowSession? { connected[id]?.session ?? rendered.first { $0.id == id } }

    /// Adds the session of a rendered page, and returns the evicted one.
    mutating func addRendered(_ session: WindowSession) -> WindowSession? {
        rendered.append(session)
        return rendered.count > limits.rendered ? rendered.removeFirst() : nil
    }

    /// Connects the page of an id.
    mutating func connect(_ id: String, for client: ClientAddress?, at now: Duration) -> Admission {
        if let page = connected[id] {
            page.session.resetDisconnectedTime(at: now)
            return .accepted(page.session, evicted: nil)
        }
        guard let index = rendered.firstIndex(where: { $0.id == id }) else { return .gone }
        let admission = admit(rendered[index], for: client, at: now)
        if case .accepted = admission { rendered.remove(at: index) }
        return admission
    }

    /// Adds a session, evicting another one when a limit is reached.
    mutating func admit(_ session: WindowSession, for client: ClientAddress?, at now: Duration) -> Admission {
        let evicted: WindowSession?
        do { evicted = try makeRoom(for: client, at: now) } catch { return .full }
        session.resetDisconnectedTime(at: now)
        connected[session.id] = Page(session: session, client: client)
        if let client { idsByClient[client, default: []].insert(session.id) }
        return .accepted(session, evicted: evicted)
    }

    /// Adds the stream of a page without a session; returns the session that was evicted because a limit is reached, if any.
    ///
    /// - Throws: `PageError.tooManyPages`
    mutating func addStream(for client: ClientAddress?, at now: Duration) throws(PageError) -> WindowSession? {
        let evicted = try makeRoom(for: client, at: now)
        streamCount += 1
        if let client { streamCounts[client, default: 0] += 1 }
        return evicted
    }

    mutating func removeStream(for client: ClientAddress?) {
        streamCount -= 1
        guard let client, let count = streamCounts[client] else { return }
        streamCounts[client] = count > 1 ? count - 1 : nil
    }

    /// Removes the expired sessions, and returns them.
    mutating func removeExpired(at now: Duration) -> [WindowSession] {
        let abandoned = all.filter { $0.isExpired(at: now) }
        let ids = Set(abandoned.map(\.id))
        for id in ids { remove(id) }
        rendered.removeAll { ids.contains($0.id) }
        return abandoned
    }
}

extension SessionTable {
    /// Removes a session if another page would exceed a limit, and returns it.
    ///
    /// - Throws: `PageError.tooManyPages` if none can be evicted.
    private mutating func makeRoom(for client: ClientAddress?, at now: Duration) throws(PageError) -> WindowSession? {
        var candidate: WindowSession?
        if let client, pageCount(of: client) >= limits.perClient {
            candidate = evictionCandidate(among: idsByClient[client] ?? [], at: now)
        } else if connected.count + streamCount >= limits.total {
            candidate = evictionCandidate(at: now)
        } else {
            return nil
        }
        guard let evicted = candidate else { throw .tooManyPages }
        remove(evicted.id)
        return evicted
    }

    private func pageCount(of client: ClientAddress) -> Int { (idsByClient[client]?.count ?? 0) + streamCounts[client, default: 0] }

    private mutating func remove(_ id: String) {
        guard let client = connected.removeValue(forKey: id)?.client else { return }
        idsByClient[client]?.remove(id)
        if idsByClient[client]?.isEmpty == true { idsByClient[client] = nil }
    }

    /// Returns the session of a client to evict; nil when all have a stream or may still open one.
    private func evictionCandidate(among ids: Set<String>, at now: Duration) -> WindowSession? {
        let (session, time) = oldestDisconnected(of: ids.lazy.compactMap { connected[$0]?.session }, at: now)
        return time >= WindowSession.connectTimeout ? session : nil
    }

    /// Returns the session of any client to evict; after a failure the search is skipped until one can succeed.
    private mutating func evictionCandidate(at now: Duration) -> WindowSession? {
        guard now >= fullUntil else { return nil }
        let (session, time) = oldestDisconnected(of: connected.values.lazy.map(\.session), at: now)
        fullUntil = now + max(.zero, WindowSession.connectTimeout - time)
        return time >= WindowSession.connectTimeout ? session : nil
    }

    /// Returns the session that has had no stream for the longest time; nil when all have one.
    private func oldestDisconnected(of sessions: some Sequence<WindowSession>, at now: Duration) -> (
        session: WindowSession?, time: Duration
    ) {
        sessions.reduce((session: nil, time: .zero)) { longest, session in
            guard let time = session.disconnectedTime(at: now), time > longest.time else { return longest }
            return (session, time)
        }
    }
}
