/// A value for each of the most recently used hosts; the least recently used one is evicted first.
struct RecentHosts<Value> {
    fileprivate struct Entry {
        var value: Value
        var lastUse: UInt64
    }

    private let limit: Int
    private var entries: [String: Entry] = [:]
    private var uses: UInt64 = 0

    /// - Parameter limit: The maximum number of hosts; at least 1.
    init(limit: Int) {
        precondition(limit >= 1, "the limit must be positive")
        self.limit = limit
    }

    var count: Int { entries.count }

    /// Calls a closure with the value of a host, which it may change.
    mutating func withValue<Outcome>(for host: String, default new: () -> Value, _ body: (inout Value) -> Outcome) -> Outcome {
        uses += 1
        if entries[host] == nil, entries.count >= limit, let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse }) {
            entries[oldest.key] = nil
        }
        var entry = entries.removeValue(forKey: host) ?? Entry(value: new(), lastUse: uses)
        defer { entries[host] = entry }
        entry.lastUse = uses
        return body(&entry.value)
    }

    /// Calls a closure with the value of each host, which it may change; that does not count as a use.
    mutating func updateAll(_ body: (inout Value) -> Void) {
        for host in Array(entries.keys) {
            guard var entry = entries.removeValue(forKey: host) else { continue }
            body(&entry.value)
            entries[host] = entry
        }
    }
}

extension RecentHosts: Sendable where Value: Sendable {}
extension RecentHosts.Entry: Sendable where Value: Sendable {}
