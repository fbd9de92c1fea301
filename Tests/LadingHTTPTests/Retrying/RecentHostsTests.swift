import Testing

@testable import LadingHTTP

@Suite struct RecentHostsTests {
    private var hosts = RecentHosts<[String]>(limit: 2)

    private mutating func append(_ text: String, to host: String) -> [String] {
        hosts.withValue(for: host, default: { [] }) { notes in
            notes.append(text)
            return notes
        }
    }

    @Test mutating func `Each host has a value of its own`() {
        _ = append("first", to: "a.org")
        _ = append("other", to: "b.org")

        #expect(append("second", to: "a.org") == ["first", "second"])
    }

    @Test mutating func `The least recently used host is evicted first`() {
        for host in ["a.org", "b.org", "a.org", "c.org"] { _ = append("x", to: host) }

        #expect(hosts.count == 2)
        #expect(append("y", to: "a.org") == ["x", "x", "y"])
        #expect(append("y", to: "b.org") == ["y"])
    }

    @Test mutating func `With a limit of 1 only the host used last has a value`() {
        hosts = RecentHosts(limit: 1)
        for host in ["a.org", "b.org"] { _ = append("x", to: host) }

        #expect(hosts.count == 1)
        #expect(append("y", to: "b.org") == ["x", "y"])
    }
}
