import LadingHTTP
import Testing

@Suite struct HostResolverTests {
    @Test(arguments: ["127.0.0.1", "2130706433", "0x7f000001", "0x7f.1", "0177.0.0.1", "127.1"])
    func `All spellings of the loopback address are resolved to it`(host: String) async throws {
        #expect(try await HostResolver.system().addresses(of: host) == [IPAddress("127.0.0.1")])
    }

    @Test func `The name localhost is resolved to non-public addresses`() async throws {
        let addresses = try await HostResolver.system().addresses(of: "localhost")

        #expect(!addresses.isEmpty)
        #expect(addresses.allSatisfy { !$0.isPublic })
    }

    @Test func `IPv6 addresses are parsed`() async throws {
        #expect(try await HostResolver.system().addresses(of: "::1") == [IPAddress("::1")])
    }

    @Test func `An invalid name throws`() async {
        await #expect(throws: (any Error).self) { try await HostResolver.system().addresses(of: "no name at all") }
    }

    @Test func `A cancelled lookup returns at once`() async {
        let lookup = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await HostResolver.system().addresses(of: "localhost")
        }

        await #expect(throws: CancellationError.self) { try await lookup.value }
    }
}
