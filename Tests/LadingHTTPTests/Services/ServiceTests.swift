import Foundation
import LadingHTTP
import LadingOperations
import ScriptedServers
import TemporaryFolders
import Testing

extension URLSessionTests {
    /// A service over real sockets, with a folder for its files.
    @Suite final class ServiceTests {
        private let folder: TemporaryFolder
        private var directory: URL { folder.url }
        private let queue = BackendQueue()
        private let services: ServiceRegistry

        init() throws {
            folder = try TemporaryFolder(named: "lading-services")
            services = ServiceRegistry(client: BackendClient(), queue: queue)
        }

        private static func response(_ body: String, _ status: String = "200 OK") -> ScriptedServer.Step {
            .send("HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)")
        }

        private func stored(_ name: String) -> String? {
            try? String(contentsOf: directory.appending(path: name), encoding: .utf8)
        }

        @Test(arguments: [false, true]) func `Both results are stored and reported, sequentially or concurrently`(isConcurrent: Bool)
            async throws
        {
            let server = try ScriptedServer { request in
                [Self.response(request.target == "/categories" ? "[1, 2]" : "[3]"), .close]
            }
            defer { server.stop() }

            let call = services.call(Sync(server: server.url("/"), directory: directory, isConcurrent: isConcurrent))
            let report = try await call.value

            #expect(report == SyncReport(categories: 6, notifications: 3))
            #expect(stored("categories.json") == "[1, 2]")
            #expect(stored("notifications.json") == "[3]")
            #expect(call.progress.snapshot.fraction == 1)
        }

        @Test func `A sequential service requests the second part after the first is stored`() async throws {
            let directory = directory
            let server = try ScriptedServer { request in
                let isStored = FileManager.default.fileExists(atPath: directory.appending(path: "categories.json").path)
                return [Self.response(request.target == "/categories" || isStored ? "[]" : "too early"), .close]
            }
            defer { server.stop() }

            let report = try await services.sync(server.url("/"), into: directory)

            #expect(report == SyncReport(categories: 2, notifications: 2))
        }

        @Test func `A concurrent service requests both parts at once`() async throws {
            let server = try ScriptedServer { _ in [.pause, Self.response("[]"), .close] }
            defer { server.stop() }

            let call = services.call(Sync(server: server.url("/"), directory: directory, isConcurrent: true))
            try await server.wait { $0.requests.count == 2 }
            server.resume()
            server.resume()

            #expect(try await call.value == SyncReport(categories: 2, notifications: 2))
        }

        @Test func `A failed part fails the call with its error, and stored results remain`() async throws {
            let server = try ScriptedServer { request in
                [request.target == "/categories" ? Self.response("[1]") : Self.response("gone", "410 Gone"), .close]
            }
            defer { server.stop() }

            let call = services.call(Sync(server: server.url("/"), directory: directory))

            let error = await #expect(throws: BackendError.self) { try await call.value }
            guard case .status(410, _, _)? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(stored("categories.json") == "[1]")
            #expect(stored("notifications.json") == nil)
            #expect((call.progress.snapshot.fraction ?? 1) < 1)
        }

        @Test func `Cancelling the call closes its connections and stores nothing`() async throws {
            let server = try ScriptedServer { _ in [.send("HTTP/1.1 200 OK\r\nContent-Length: 500000\r\n\r\n[")] }
            defer { server.stop() }
            let waiting = Task { [services, directory] in try await services.sync(server.url("/"), into: directory) }
            try await server.wait { $0.bytesSent > 0 }

            waiting.cancel()

            await #expect(throws: CancellationError.self) { try await waiting.value }
            try await server.wait { $0.closedByClient == 1 }
            await queue.waitUntilIdle()
            #expect(stored("categories.json") == nil)
        }

        @Test func `The progress of a call can be observed until it completes`() async throws {
            let server = try ScriptedServer { _ in [Self.response("[]"), .close] }
            defer { server.stop() }
            let call = services.call(Sync(server: server.url("/"), directory: directory))

            var fractions: [Double] = []
            for await update in call.progress.updates(every: .zero) { fractions.append(update.fraction ?? 0) }

            #expect(fractions == fractions.sorted())
            #expect(fractions.last == 1)
        }

        @Test func `A call that exceeds its deadline fails`() async throws {
            let server = try ScriptedServer { _ in [.pause] }
            defer { server.stop() }

            let call = services.call(Sync(server: server.url("/"), directory: directory), deadline: .milliseconds(1))

            await #expect(throws: OperationError.self) { try await call.value }
        }

        @Test func `The guide shows the example`() throws {
            let folder = URL(filePath: #filePath).deletingLastPathComponent()
            let package = folder.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

            let example = try String(contentsOf: folder.appending(path: "ServiceExample.swift"), encoding: .utf8)
            let guide = try String(contentsOf: package.appending(path: "Docs/Guides/Operations.md"), encoding: .utf8)

            #expect(guide.contains("```swift\n\(example.components(separatedBy: "// ---- GUIDE\n")[1])```\n"))
        }
    }
}
