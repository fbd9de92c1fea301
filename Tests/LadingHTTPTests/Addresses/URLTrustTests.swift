import Foundation
import HTTPTypes
import LadingHTTP
import LadingOperations
import LadingTesting
import Testing

/// Tests of trust in redirects and in the URLs of documents, over an executor with scripted host addresses.
@Suite struct URLTrustTests {
    private let executor = ScriptedExecutor()
    private let client: BackendClient
    private let privateAddress = IPAddress.v4(0xC0A8_0001)

    init() {
        client = BackendClient(executor: executor)
    }

    /// Returns the URL that responded to a request, or the one that was rejected for a private address.
    private func outcome(_ address: String, _ trust: URLTrust = .configured) async throws -> String {
        let message = RequestMessage(url: try #require(URL(string: address)), trust: trust)
        do {
            return "\(try await client.response(to: message).url.absoluteString)"
        } catch BackendError.policyViolation(let url, .privateAddress) {
            return "refused: \(url.absoluteString)"
        }
    }

    private func discovered(in address: String) throws -> URLTrust { .discovered(in: try #require(URL(string: address))) }

    private func redirect(_ address: String, to target: String) {
        executor.script(address, .response(status: .found, headers: [.location: target]))
    }

    private func respond(at addresses: String...) {
        for address in addresses { executor.script(address, .response(text: "here")) }
    }

    // MARK: Configured URLs

    @Test(arguments: ["http://10.0.0.7/x", "http://localhost:8080/x", "http://[::1]/x", "http://169.254.169.254/x", "http://router/x"])
    func `A configured URL may have any address`(address: String) async throws {
        executor.setAddress(of: "router", to: privateAddress)
        respond(at: address)

        #expect(try await outcome(address) == address)
    }

    @Test func `A configured host may redirect to itself at a private address`() async throws {
        redirect("http://10.0.0.7/x", to: "http://10.0.0.7:8080/y")
        respond(at: "http://10.0.0.7:8080/y")

        #expect(try await outcome("http://10.0.0.7/x") == "http://10.0.0.7:8080/y")
    }

    @Test func `A redirect from a public host to a private one is rejected before anything is sent`() async throws {
        redirect("http://public.org/x", to: "http://192.168.0.1/admin")
        respond(at: "http://192.168.0.1/admin")

        #expect(try await outcome("http://public.org/x") == "refused: http://192.168.0.1/admin")
        #expect(executor.requestedURLs == ["http://public.org/x"])
    }

    @Test func `A redirect to a public name with a private address is rejected`() async throws {
        executor.setAddress(of: "cdn.public.org", to: privateAddress)
        redirect("http://public.org/x", to: "http://cdn.public.org/x")

        #expect(try await outcome("http://public.org/x") == "refused: http://cdn.public.org/x")
    }

    @Test func `A redirect from one private host to another is rejected`() async throws {
        executor.setAddress(of: "lists.lan", to: privateAddress)
        executor.setAddress(of: "printer.lan", to: privateAddress)
        redirect("http://lists.lan/x", to: "http://printer.lan/x")

        #expect(try await outcome("http://lists.lan/x") == "refused: http://printer.lan/x")
    }

    @Test func `A redirect from one public host to another is followed`() async throws {
        redirect("http://public.org/x", to: "https://cdn.org/x")
        respond(at: "https://cdn.org/x")

        #expect(try await outcome("http://public.org/x") == "https://cdn.org/x")
    }

    @Test func `The trusted host stays trusted after a redirect through another host`() async throws {
        executor.setAddress(of: "lists.lan", to: privateAddress)
        redirect("http://lists.lan/x", to: "http://login.org/x")
        redirect("http://login.org/x", to: "http://lists.lan/y")
        respond(at: "http://lists.lan/y")

        #expect(try await outcome("http://lists.lan/x") == "http://lists.lan/y")
    }

    // MARK: Discovered URLs

    @Test(arguments: [
        "http://127.0.0.1/x", "http://localhost/x", "http://[::1]/x", "http://10.1.2.3/x", "http://169.254.169.254/latest",
        "http://router/x",
    ])
    func `A URL discovered in a public document may not have a private address`(address: String) async throws {
        executor.setAddress(of: "router", to: privateAddress)
        respond(at: address)

        #expect(try await outcome(address, discovered(in: "http://public.org/orders.plist")) == "refused: \(address)")
        #expect(executor.requests.isEmpty)
    }

    @Test func `A URL discovered in a private document may be on that host or public, on any port`() async throws {
        executor.setAddress(of: "lists.lan", to: privateAddress)
        executor.setAddress(of: "other.lan", to: privateAddress)
        respond(at: "http://lists.lan:81/1", "http://LISTS.lan./2", "http://public.org/3", "http://other.lan/4")
        let trust = try discovered(in: "http://lists.lan/orders.plist")

        #expect(try await outcome("http://lists.lan:81/1", trust) == "http://lists.lan:81/1")
        #expect(try await outcome("http://public.org/3", trust) == "http://public.org/3")
        #expect(try await outcome("http://other.lan/4", trust) == "refused: http://other.lan/4")
    }

    @Test func `All names of the loopback host are one trusted host`() async throws {
        let names = ["localhost", "127.0.0.1", "127.0.0.53", "[::1]", "[::ffff:127.0.0.1]", "LOCALHOST"]
        for (named, naming) in zip(names, names.dropFirst() + names.prefix(1)) {
            let address = "http://\(named):8081/x"
            respond(at: address)

            #expect(try await outcome(address, discovered(in: "http://\(naming):8080/orders.plist")) == address)
        }
    }

    @Test func `A redirect extends no trust beyond the host of the document`() async throws {
        executor.setAddress(of: "lists.lan", to: privateAddress)
        executor.setAddress(of: "other.lan", to: privateAddress)
        redirect("http://public.org/x", to: "http://lists.lan/x")
        redirect("http://public.org/y", to: "http://other.lan/y")
        respond(at: "http://lists.lan/x")
        let trust = try discovered(in: "http://lists.lan/orders.plist")

        #expect(try await outcome("http://public.org/x", trust) == "http://lists.lan/x")
        #expect(try await outcome("http://public.org/y", trust) == "refused: http://other.lan/y")
    }

    @Test func `An address policy of publicOnly is not widened`() async throws {
        let message = RequestMessage(url: try #require(URL(string: "http://10.0.0.7/x")), addressPolicy: .publicOnly)

        await #expect { try await client.response(to: message) } throws: { error in
            if case BackendError.policyViolation(_, .privateAddress) = error { true } else { false }
        }
    }

    // MARK: Trusted hosts of the policy

    @Test func `Redirects and documents may lead to the private hosts of the policy`() async throws {
        let client = BackendClient(executor: executor, policy: URLPolicy(trustedHosts: ["Media.lan.", "10.0.0.7"]))
        executor.setAddress(of: "media.lan", to: privateAddress)
        redirect("http://public.org/x", to: "http://media.lan:9000/x")
        respond(at: "http://media.lan:9000/x", "http://10.0.0.7/y")
        let redirected = RequestMessage(url: try #require(URL(string: "http://public.org/x")))
        let listed = RequestMessage(
            url: try #require(URL(string: "http://10.0.0.7/y")), trust: try discovered(in: "http://public.org/list"))

        #expect(try await client.response(to: redirected).url.absoluteString == "http://media.lan:9000/x")
        #expect(try await client.response(to: listed).url.absoluteString == "http://10.0.0.7/y")
        await #expect(throws: BackendError.self) {
            try await client.response(to: RequestMessage(url: redirected.url, addressPolicy: .publicOnly))
        }
    }

    @Test func `A policy trusts no other private host, and none through the name of a trusted one`() async throws {
        let client = BackendClient(executor: executor, policy: URLPolicy(trustedHosts: ["media.lan"]))
        let message = RequestMessage(url: try #require(URL(string: "http://public.org/x")))
        executor.setAddress(of: "media.lan.other.lan", to: privateAddress)
        for target in ["http://10.0.0.7/x", "http://media.lan.other.lan/x"] {
            redirect("http://public.org/x", to: target)

            await #expect { try await client.response(to: message) } throws: { error in
                if case BackendError.policyViolation(let url, .privateAddress) = error { url.absoluteString == target } else { false }
            }
        }
    }

    // MARK: Descriptions and keys

    @Test func `A policy violation describes its reason`() throws {
        let error = BackendError.policyViolation(try #require(URL(string: "http://10.0.0.7/x")), .privateAddress)

        let reason = "lists and redirects must not refer to a private address of another host, unless URLPolicy(trustedHosts:) has it"
        #expect("\(error)" == "\(reason): http://10.0.0.7/x")
    }

    @Test func `Requests with different trusted hosts share no execution`() throws {
        let tasks = ManualTaskExecutor()
        let queue = BackendQueue(executor: tasks)
        respond(at: "http://a.org/x")
        let url = try #require(URL(string: "http://a.org/x"))
        let provenances: [URLTrust] = [
            .configured, .configured, try discovered(in: "http://a.org/list"), try discovered(in: "http://b.org/list"),
            try discovered(in: "http://b.org/other"),
            try discovered(in: "http://c.org/list"),
        ]

        for provenance in provenances {
            queue.submit(client.operation(BackendRequest(url: url, trust: provenance)), priority: .visible)
        }
        tasks.runAll()

        // The trusted hosts are a.org, b.org and c.org.
        #expect(executor.requests.count == 3)
        #expect(executor.requests.map(\.addressPolicy) == [.any, .publicOnly, .publicOnly])
    }
}
