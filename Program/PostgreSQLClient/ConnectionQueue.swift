/// The decisions of a connection pool: the requests that have a connection, and the order of those that wait for one.
///
/// Short reads of commands may use all connections. Changes may use all but a reserve of a quarter, at least one, and so may queries: neither
/// changes that wait for a standby nor long reads stop the other requests. A pool of one connection has no reserve. A free connection goes to
/// the request that has waited longest among those that may use it. So requests of one purpose are served in the order of their arrival, and
/// no request is overtaken by those of another purpose forever.
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
    /// The maximum number of running changes, and of running queries.
    private let purposeLimit: Int
    private var running: [RequestPurpose: Int] = [:]
    /// The waiting requests in the order of their arrival.
    private var waiting: [RequestPurpose: [Int]] = [:]

    /// - Parameter limit: The maximum number of connections.
    init(limit: Int) {
        self.limit = limit
        purposeLimit = max(1, limit - max(1, limit / 4))
    }

    /// Adds a request, which runs or waits from then on.
    ///
    /// - Parameter id: The number of the request, in the order of arrival.
    /// - Returns: Whether it runs.
    mutating func request(_ id: Int, for purpose: RequestPurpose) -> Bool {
        if startIfPossible(purpose) { return true }
        waiting[purpose, default: []].append(id)
        return false
    }

    /// Adds a request only if it need not wait.
    ///
    /// - Returns: Whether it runs.
    mutating func startIfPossible(_ purpose: RequestPurpose) -> Bool {
        guard canRun(purpose) else { return false }
        running[purpose, default: 0] += 1
        return true
    }

    /// Ends a running request.
    ///
    /// - Returns: The waiting request that runs in its place; nil if none may.
    mutating func release(_ purpose: RequestPurpose) -> Int? {
        running[purpose, default: 0] -= 1
        let candidates = RequestPurpose.allCases.filter { canRun($0) }.compactMap { purpose in
            waiting[purpose]?.first.map { (id: $0, purpose: purpose) }
        }
        guard let next = candidates.min(by: { $0.id < $1.id }) else { return nil }
        running[next.purpose, default: 0] += 1
        waiting[next.purpose]?.removeFirst()
        return next.id
    }

    /// Removes a request that waits.
    ///
    /// - Returns: Whether it waited.
    mutating func cancel(_ id: Int) -> Bool {
        for purpose in RequestPurpose.allCases {
            guard let index = waiting[purpose]?.firstIndex(of: id) else { continue }
            waiting[purpose]?.remove(at: index)
            return true
        }
        return false
    }

    /// Removes all requests that wait.
    mutating func cancelAll() { waiting = [:] }

    private func canRun(_ purpose: RequestPurpose) -> Bool {
        running.values.reduce(0, +) < limit && (purpose == .command || running[purpose, default: 0] < purposeLimit)
    }
}
