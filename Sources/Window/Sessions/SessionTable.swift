import ServerStartup

/// How many pages may be open at once.
struct PageLimits: Sendable {
    /// Of all clients.
    var total = WindowSessions.sessionLimit
    /// Of one client.
    var perClient = WindowConfiguration.defaultPagesPerClient
    /// Of those that were rendered and have not connected.
    var rendered = WindowSessions.renderedLimit
}

/// Decides which pages have a session, and which one makes room for another. A value for the lock of `WindowSessions`.
///
/// | page | its session |
/// |---|---|
/// | was rendered | is one of few, so that pages that never connect cost no more than these; a page whose session is gone opens another |
/// | connects, by its stream or by `POST /windows` | is held while it has a stream, and for a limited time without one |
/// | connects when its client has too many, or all clients have | takes the room of that client's page, or of any, that has been without a stream for the longest time |
struct SessionTable: Sendable {
    /// What became of a page that connects.
    enum Admission: Sendable {
        case gone
        case full
        case admitted(WindowSession, evicted: WindowSession?)
    }

    private struct Page: Sendable {
        let session: WindowSession
        /// nil where the client is not known; no limit of its own holds for it then.
        let client: ClientAddress?
    }

    private let limits: PageLimits
    private var connected: [String: Page] = [:]
    /// The ids of the connected pages of each client.
    private var idsByClient: [ClientAddress: Set<String>] = [:]
    /// Those that have not connected, oldest first.
    private var rendered: [WindowSession] = []
    /// Until then no page makes room for one of another client: all were looked at, and have a stream or may still open one.
    private var fullUntil = Duration.zero

    init(_ limits: PageLimits) {
        self.limits = limits
    }

    var all: [WindowSession] { rendered + connected.values.map(\.session) }

    /// Whether any page has a stream.
    var hasReaders: Bool { connected.values.contains { $0.session.hasStream } }

    subscript(id: String) -> WindowSession? { connected[id]?.session ?? rendered.first { $0.id == id } }

    /// Adds the session of a rendered page, and returns the one that makes room.
    mutating func addRendered(_ session: WindowSession) -> WindowSession? {
        rendered.append(session)
        return rendered.count > limits.rendered ? rendered.removeFirst() : nil
    }

    /// Connects the page of an id.
    mutating func connect(_ id: String, for client: ClientAddress?, at now: Duration) -> Admission {
        if let page = connected[id] {
            page.session.resetDisconnectedTime(at: now)
            return .admitted(page.session, evicted: nil)
        }
        guard let index = rendered.firstIndex(where: { $0.id == id }) else { return .gone }
        let admission = admit(rendered[index], for: client, at: now)
        if case .admitted = admission { rendered.remove(at: index) }
        return admission
    }

    /// Adds a session, in place of another one where there are too many.
    mutating func admit(_ session: WindowSession, for client: ClientAddress?, at now: Duration) -> Admission {
        var evicted: WindowSession?
        if let client, let ids = idsByClient[client], ids.count >= limits.perClient {
            evicted = evictable(among: ids, at: now)
            if evicted == nil { return .full }
        } else if connected.count >= limits.total {
            evicted = evictable(at: now)
            if evicted == nil { return .full }
        }
        if let evicted { remove(evicted.id) }
        session.resetDisconnectedTime(at: now)
        connected[session.id] = Page(session: session, client: client)
        if let client { idsByClient[client, default: []].insert(session.id) }
        return .admitted(session, evicted: evicted)
    }

    /// Removes the sessions that are to be forgotten, and returns them.
    mutating func removeExpired(at now: Duration) -> [WindowSession] {
        let abandoned = all.filter { $0.isExpired(at: now) }
        let ids = Set(abandoned.map(\.id))
        for id in ids { remove(id) }
        rendered.removeAll { ids.contains($0.id) }
        return abandoned
    }
}

extension SessionTable {
    private mutating func remove(_ id: String) {
        guard let client = connected.removeValue(forKey: id)?.client else { return }
        idsByClient[client]?.remove(id)
        if idsByClient[client]?.isEmpty == true { idsByClient[client] = nil }
    }

    /// The page of a client that makes room; nil when all have a stream or may still open one.
    private func evictable(among ids: Set<String>, at now: Duration) -> WindowSession? {
        let (session, time) = longestDisconnected(of: ids.lazy.compactMap { connected[$0]?.session }, at: now)
        return time >= WindowSession.connectTimeout ? session : nil
    }

    /// The page of any client that makes room. Where there is none, none is looked for until there can be one again.
    private mutating func evictable(at now: Duration) -> WindowSession? {
        guard now >= fullUntil else { return nil }
        let (session, time) = longestDisconnected(of: connected.values.lazy.map(\.session), at: now)
        fullUntil = now + max(.zero, WindowSession.connectTimeout - time)
        return time >= WindowSession.connectTimeout ? session : nil
    }

    /// The session that has been without a stream for the longest time; nil when all have one.
    private func longestDisconnected(of sessions: some Sequence<WindowSession>, at now: Duration) -> (session: WindowSession?, time: Duration) {
        sessions.reduce((session: nil, time: .zero)) { longest, session in
            guard let time = session.disconnectedTime(at: now), time > longest.time else { return longest }
            return (session, time)
        }
    }
}
