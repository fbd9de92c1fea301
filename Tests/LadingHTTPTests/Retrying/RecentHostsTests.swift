import Testing

@testable import LadingHTTP

@Suite struct RecentHostsTests {
    private var hosts = RecentHosts<[String]>(limit: 2)

    private mutating func note(_ text: String, of host: String) -> [String] {
        hosts.with(host, orNew: { [] }) { notes in
            notes.append(text)
            return notes
        }
    }

    @Test mutating func `Each host keeps what is its own`() {
        _ = note("first", of: "a.org")
        _ = note("other", of: "b.org")

        #expect(note("second", of: "a.org") == ["first", "second"])
    }

    @Test mutating func `The one that was not used for longest goes first`() {
        for host in ["a.org", "b.org", "a.org", "c.org"] { _ = note("x", of: host) }

        #expect(hosts.count == 2)
        #expect(note("y", of: "a.org") == ["x", "x", "y"])
        #expect(note("y", of: "b.org") == ["y"])
    }
}
