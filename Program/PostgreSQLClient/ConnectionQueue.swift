/// The decisions of a connection pool: the requests that have a connection, and the order of those that wait for one.
///
/// Commands may use all connections, queries all but a reserve of a quarter, at least one, so that long reads never delay a command; a pool of one
/// connection has no reserve. A free connection goes to the request that has waited longest among those that may use it. So requests of one purpose
/// are served in the order of their arrival, and no query is overtaken by commands forever.
///
/// ```
///    request ──────► running ──release──► (ended)
///       │               ▲
///       └──► waiting ───┘ release of another one
///               └──cancel──► (ended)
/// ```
struct ConnectionQueue {
    /// The maximum number of running requests.
    private let limit: Int
    /// The maximum number of running queries.
    private let queryLimit: Int
    private var runningCommands = 0
    private var runningQueries = 0
    /// The waiting requests in the order of their arrival.
    private var commands: [Int] = []
    private var queries: [Int] = []

    /// - Parameter limit: The maximum number of connections.
    init(limit: Int) {
        self.limit = limit
        queryLimit = max(1, limit - max(1, limit / 4))
    }

    /// Adds a request, which runs or waits from then on.
    ///
    /// - Parameter id: The number of the request, in the order of arrival.
    /// - Returns: Whether it runs.
    mutating func request(_ id: Int, for purpose: RequestPurpose) -> Bool {
        if startIfPossible(purpose) { return true }
        switch purpose {
        case .command: commands.append(id)
        case .query: queries.append(id)
        }
        return false
    }

    /// Adds a request only if it need not wait.
    ///
    /// - Returns: Whether it runs.
    mutating func startIfPossible(_ purpose: RequestPurpose) -> Bool {
        guard canRun(purpose) else { return false }
        start(purpose)
        return true
    }

    /// Ends a running request.
    ///
    /// - Returns: The waiting request that runs in its place; nil if none may.
    mutating func release(_ purpose: RequestPurpose) -> Int? {
        switch purpose {
        case .command: runningCommands -= 1
        case .query: runningQueries -= 1
        }
        guard let next = nextPurpose else { return nil }
        start(next)
        return next == .command ? commands.removeFirst() : queries.removeFirst()
    }

    /// Removes a request that waits.
    ///
    /// - Returns: Whether it waited.
    mutating func cancel(_ id: Int) -> Bool {
        if let index = commands.firstIndex(of: id) {
            commands.remove(at: index)
        } else if let index = queries.firstIndex(of: id) {
            queries.remove(at: index)
        } else {
            return false
        }
        return true
    }

    /// Removes all requests that wait.
    mutating func cancelAll() { (commands, queries) = ([], []) }

    private func canRun(_ purpose: RequestPurpose) -> Bool {
        runningCommands + runningQueries < limit && (purpose == .command || runningQueries < queryLimit)
    }

    private mutating func start(_ purpose: RequestPurpose) {
        switch purpose {
        case .command: runningCommands += 1
        case .query: runningQueries += 1
        }
    }

    /// The purpose of the waiting request that may run next.
    private var nextPurpose: RequestPurpose? {
        let command = canRun(.command) ? commands.first : nil
        let query = canRun(.query) ? queries.first : nil
        guard let command else { return query.map { _ in .query } }
        return query.map { $0 < command } == true ? .query : .command
    }
}
