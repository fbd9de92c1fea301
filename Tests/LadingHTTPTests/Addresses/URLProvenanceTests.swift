import Foundation
import HTTPTypes
import LadingHTTP
import LadingOperations
import LadingTesting
import Testing

/// Who may lead whom where: law 12, over an executor whose hosts lie where the test says.
@Suite struct URLProvenanceTests {
    private let executor = ScriptedExecutor()
    private let client: BackendClient
    private let near = IPAddress.v4(0xC0A8_0001)

    init() {
        client = BackendClient(executor: executor)
    }

    /// What became of asking for a URL: `answered`, `refused` or another error.
    private func outcome(_ address: String, _ provenance: URLProvenance = .own) async throws -> String {
        let message = RequestMessage(url: try #require(URL(string: address)), provenance: provenance)
        do {
            return "\(try await client.reply(to: message).url.absoluteString)"
        } catch BackendError.refused(let url, .privateAddress) {
            return "refused: \(url.absoluteString)"
        }
    }

    private func list(_ address: String) throws -> URLProvenance { .named(by: try #require(URL(string: address))) }

    private func redirect(_ address: String, to target: String) {
        executor.script(address, .reply(status: .found, headers: [.location: target]))
    }

    private func answer(_ addresses: String...) {
        for address in addresses { executor.script(address, .reply(text: "here")) }
    }

    // MARK: Own

    @Test(arguments: ["http://10.0.0.7/x", "http://localhost:8080/x", "http://[::1]/x", "http://169.254.169.254/x", "http://router/x"])
    func `What the user names may lie anywhere`(address: String) async throws {
        executor.place("router", at: near)
        answer(address)

        #expect(try await outcome(address) == address)
    }

    @Test func `A redirect stays with the host the user named, wherever that is`() async throws {
        redirect("http://10.0.0.7/x", to: "http://10.0.0.7:8080/y")
        answer("http://10.0.0.7:8080/y")

        #expect(try await outcome("http://10.0.0.7/x") == "http://10.0.0.7:8080/y")
    }

    @Test func `A redirect from a public host to a private one is refused before anything is sent`() async throws {
        redirect("http://public.org/x", to: "http://192.168.0.1/admin")
        answer("http://192.168.0.1/admin")

        #expect(try await outcome("http://public.org/x") == "refused: http://192.168.0.1/admin")
        #expect(executor.requestedURLs == ["http://public.org/x"])
    }

    @Test func `A redirect to a host that only looks public is refused`() async throws {
        executor.place("cdn.public.org", at: near)
        redirect("http://public.org/x", to: "http://cdn.public.org/x")

        #expect(try await outcome("http://public.org/x") == "refused: http://cdn.public.org/x")
    }

    @Test func `A private host does not lead to another private one`() async throws {
        executor.place("lists.lan", at: near)
        executor.place("printer.lan", at: near)
        redirect("http://lists.lan/x", to: "http://printer.lan/x")

        #expect(try await outcome("http://lists.lan/x") == "refused: http://printer.lan/x")
    }

    @Test func `A redirect leads from one public host to another`() async throws {
        redirect("http://public.org/x", to: "https://cdn.org/x")
        answer("https://cdn.org/x")

        #expect(try await outcome("http://public.org/x") == "https://cdn.org/x")
    }

    @Test func `After an excursion the trusted host is still trusted`() async throws {
        executor.place("lists.lan", at: near)
        redirect("http://lists.lan/x", to: "http://login.org/x")
        redirect("http://login.org/x", to: "http://lists.lan/y")
        answer("http://lists.lan/y")

        #expect(try await outcome("http://lists.lan/x") == "http://lists.lan/y")
    }

    // MARK: Named by a document

    @Test(arguments: [
        "http://127.0.0.1/x", "http://localhost/x", "http://[::1]/x", "http://10.1.2.3/x", "http://169.254.169.254/latest",
        "http://router/x",
    ])
    func `A public list does not lead to a private address`(address: String) async throws {
        executor.place("router", at: near)
        answer(address)

        #expect(try await outcome(address, list("http://public.org/orders.plist")) == "refused: \(address)")
        #expect(executor.requests.isEmpty)
    }

    @Test func `A list on a private host leads to that host, whatever the port, and to public ones`() async throws {
        executor.place("lists.lan", at: near)
        executor.place("other.lan", at: near)
        answer("http://lists.lan:81/1", "http://LISTS.lan./2", "http://public.org/3", "http://other.lan/4")
        let list = try list("http://lists.lan/orders.plist")

        #expect(try await outcome("http://lists.lan:81/1", list) == "http://lists.lan:81/1")
        #expect(try await outcome("http://public.org/3", list) == "http://public.org/3")
        #expect(try await outcome("http://other.lan/4", list) == "refused: http://other.lan/4")
    }

    @Test func `All names of this machine are one host`() async throws {
        let names = ["localhost", "127.0.0.1", "127.0.0.53", "[::1]", "[::ffff:127.0.0.1]", "LOCALHOST"]
        for (named, naming) in zip(names, names.dropFirst() + names.prefix(1)) {
            let address = "http://\(named):8081/x"
            answer(address)

            #expect(try await outcome(address, list("http://\(naming):8080/orders.plist")) == address)
        }
    }

    @Test func `What a list names is trusted no further by a redirect`() async throws {
        executor.place("lists.lan", at: near)
        executor.place("other.lan", at: near)
        redirect("http://public.org/x", to: "http://lists.lan/x")
        redirect("http://public.org/y", to: "http://other.lan/y")
        answer("http://lists.lan/x")
        let list = try list("http://lists.lan/orders.plist")

        #expect(try await outcome("http://public.org/x", list) == "http://lists.lan/x")
        #expect(try await outcome("http://public.org/y", list) == "refused: http://other.lan/y")
    }

    @Test func `A message that may reach public addresses only is not given more`() async throws {
        let message = RequestMessage(url: try #require(URL(string: "http://10.0.0.7/x")), reach: .publicOnly)

        await #expect { try await client.reply(to: message) } throws: { error in
            if case BackendError.refused(_, .privateAddress) = error { true } else { false }
        }
    }

    // MARK: Words and keys

    @Test func `A refusal says what is wrong`() throws {
        let error = BackendError.refused(try #require(URL(string: "http://10.0.0.7/x")), .privateAddress)

        #expect("\(error)" == "neither a list nor a redirect may lead to a private address of another host: http://10.0.0.7/x")
    }

    @Test func `Wishes that trust different hosts share no flight`() throws {
        let tasks = ManualTaskExecutor()
        let queue = BackendQueue(executor: tasks)
        answer("http://a.org/x")
        let url = try #require(URL(string: "http://a.org/x"))
        let provenances: [URLProvenance] = [
            .own, .own, try list("http://a.org/list"), try list("http://b.org/list"), try list("http://b.org/other"),
            try list("http://c.org/list"),
        ]

        for provenance in provenances {
            queue.submit(client.operation(BackendRequest(url: url, provenance: provenance)), priority: .visible)
        }
        tasks.runAll()

        // Trusting a.org, b.org and c.org.
        #expect(executor.requests.count == 3)
        #expect(executor.requests.map(\.reach) == [.any, .publicOnly, .publicOnly])
    }
}
