import Foundation
import LadingTesting
import ScriptedServers
import Synchronization
import TemporaryFolders
import Testing

extension ServerJourneys {
    /// The events that a server of the program sends to another system.
    @Suite struct WebhookJourneyTests {
        @Test
        func `A receiver that fails, stalls and is killed, and a server that is killed, lose no event and keep the order of each order`()
            async throws
        {
            try await withTemporaryFolder { folder in
                let receiver = Receiver()
                var socket = try receiver.listen()
                let options = [
                    "serve", "--orders", "5", "--deliveries", "5", "--data", folder.path, "--webhook",
                    "http://127.0.0.1:\(socket.port)/hook",
                ]
                var (server, address) = try await Program.start(options + ["--port", "0"], announcing: Self.announcement)
                let base = String(address.dropLast("/swift-concurrency/orders.plist".count))
                let token = try await OrderAPIServer(address: base, folder: folder).signIn("Ada", isDispatcher: true)
                try await receiver.wait(forIDs: 1)
                let start = try #require(receiver.received.first?.position)
                let port = try #require(URL(string: base)?.port)
                let simulation = try Program.launch(
                    "simulate", "--couriers", "8", "--days", "0.35", "--speed", "2400", "--seed", "5", "--origin", base, "--data",
                    folder.path,
                    "--history", "-")
                defer { simulation.signal(SIGKILL) }
                let records = Task { await simulation.output.text() }

                for round in 1...2 {
                    try await receiver.wait(forIDs: 20 * round)
                    // The receiver is killed while an event is being sent; later the server is.
                    receiver.isStalling = true
                    try await receiver.waitForStall()
                    socket.stop()
                    try await socket.wait { !$0.isListening }
                    server.signal(SIGKILL)
                    _ = await server.waitForExit()
                    receiver.isStalling = false
                    socket = try receiver.listen(on: socket.port)
                    (server, _) = try await Program.start(options + ["--port", "\(port)"], announcing: Self.announcement)
                }
                #expect(await simulation.waitForExit() == 0)
                #expect(await records.value.isEmpty == false)

                let api = OrderAPIServer(address: base, folder: folder)
                let changes = try await api.changes(after: start, token)
                try await receiver.wait(forIDs: changes.count + 1)
                let status = try await api.json("webhook", token)
                socket.stop()
                #expect(await server.terminate() == 0)

                let received = receiver.received.dropFirst().filter { $0.id != receiver.received[0].id }
                #expect(Set(received.map(\.id)) == Set(changes))
                #expect((status["abandoned"] as? [Any])?.isEmpty == true)
                // In the order of their first arrival the changes of each order have ascending positions.
                var arrived: [Int: [Int]] = [:]
                var known: Set<String> = []
                for event in received where known.insert(event.id).inserted { arrived[event.order, default: []].append(event.number) }
                #expect(arrived.count > 5 && arrived.values.allSatisfy { $0 == $0.sorted() })
                let check = try await Program.run("check", "--data", folder.path)
                #expect(check.code == 0 && check.output.contains("webhook.sqlite: ok"), "\(check.output)")
            }
        }

        @Test func `The secret is created privately, no other output contains it, and wrong options are explained`() async throws {
            try await withTemporaryFolder { folder in
                let receiver = Receiver()
                let socket = try receiver.listen()
                let url = "@\(folder.path)/url"
                try Data("http://127.0.0.1:\(socket.port)/hook?token=hunter2\n".utf8).write(to: folder.appending(path: "url"))
                let (server, _) = try await Program.start(
                    "serve", "--port", "0", "--orders", "5", "--deliveries", "5", "--data", folder.path, "--webhook", url,
                    announcing: Self.announcement)
                try await receiver.wait(forIDs: 1)
                socket.stop()
                #expect(await server.terminate() == 0)

                let secret = try String(contentsOf: folder.appending(path: "webhook-secret"), encoding: .utf8)
                let journal = try Data(contentsOf: folder.appending(path: "webhook.sqlite"))
                let mode = try FileManager.default.attributesOfItem(atPath: folder.path + "/webhook-secret")[.posixPermissions] as? Int
                #expect(secret.hasPrefix("whsec_") && mode == 0o600)
                #expect(journal.range(of: Data("hunter2".utf8)) == nil)

                let inMemory = try await Program.run("serve", "--in-memory", "--webhook", url)
                let withoutURL = try await Program.run("serve", "--webhook-days", "3")
                let withoutSecret = try await Program.run(
                    "serve", "--port", "0", "--data", folder.path, "--webhook", url, "--webhook-secret-file", "/none")
                #expect(inMemory.code == 64 && inMemory.error.contains("remove --in-memory"))
                #expect(withoutURL.code == 64 && withoutURL.error.contains("--webhook-days requires --webhook"))
                #expect(withoutSecret.code == 1 && withoutSecret.error.contains("check --webhook-secret-file"))
            }
        }

        #if os(Linux)
            @Test func `A created secret is synced before it gets its name`() async throws {
                try await withTemporaryFolder { folder in
                    let data = folder.appending(path: "data")
                    let writes = try UnsyncedWrites(of: data, in: folder)

                    let (server, _) = try await Program.start(
                        [
                            "serve", "--port", "0", "--orders", "5", "--deliveries", "5", "--data", data.path, "--webhook",
                            "http://127.0.0.1:1/hook",
                        ], environment: writes.environment(callCount: .max), announcing: Self.announcement)
                    #expect(await server.terminate() == 0)

                    #expect(FileManager.default.fileExists(atPath: data.appending(path: "webhook-secret").path))
                    #expect(writes.areSynced(of: "webhook-secret.new"))
                }
            }
        #endif

        private static let announcement = "The orders are served at "
    }
}

/// A receiver of events, whose sockets come and go.
private final class Receiver: Sendable {
    struct Event: Sendable {
        let id: String
        /// The position in the change feed.
        let position: String
        let order: Int
        /// The number of the position.
        let number: Int
    }

    private struct State {
        var events: [Event] = []
        var isStalling = false
        var stalls = 0
        var requests = 0
    }

    private let state = ObservableValue(State())

    var received: [Event] { state.value.events }

    /// Whether requests are not answered.
    var isStalling: Bool {
        get { state.value.isStalling }
        set { state.change { $0.isStalling = newValue } }
    }

    func wait(forIDs count: Int) async throws { try await state.wait { Set($0.events.map(\.id)).count >= count } }

    /// Waits until a request is not answered since the last call.
    func waitForStall() async throws {
        try await state.wait { $0.stalls > 0 }
        state.change { $0.stalls = 0 }
    }

    /// Listens on a port; 0 for any free one. Every 25th request fails.
    func listen(on port: Int = 0) throws -> ScriptedServer {
        try ScriptedServer(port: UInt16(port)) { [self] request in
            guard let event = Self.event(in: request) else { return [.send("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")] }
            var answer: [ScriptedServer.Step] = [.send("HTTP/1.1 204 No Content\r\n\r\n")]
            state.change { state in
                state.requests += 1
                if state.isStalling {
                    state.stalls += 1
                    answer = [.pause]
                } else if state.requests % 25 == 0 {
                    answer = state.requests % 50 == 0 ? [.reset] : [.send("HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n")]
                } else {
                    state.events.append(event)
                }
            }
            return answer
        }
    }

    private static func event(in request: ReceivedRequest) -> Event? {
        guard let id = request["webhook-id"], request["webhook-signature"]?.hasPrefix("v1,") == true,
            let document = try? JSONSerialization.jsonObject(with: Data(request.body)) as? [String: Any],
            let data = document["data"] as? [String: Any], let position = data["position"] as? String,
            let number = position.split(separator: "-").last.flatMap({ Int($0) })
        else { return nil }
        return Event(id: id, position: position, order: data["order"] as? Int ?? 0, number: number)
    }
}

extension OrderAPIServer {
    /// Returns the positions of all changes after one.
    fileprivate func changes(after start: String, _ token: String) async throws -> [String] {
        var (position, positions) = (start, [String]())
        while true {
            let page = try await json("changes?after=\(position)", token)
            let changes = try #require(page["changes"] as? [[String: Any]])
            positions += changes.compactMap { $0["position"] as? String }
            position = try #require(page["position"] as? String)
            guard page["more"] as? Bool == true else { return positions }
        }
    }
}
