import Foundation
import HTTPTypes
import Synchronization
import LadingTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Journeys {
    /// `lading proxy` in front of a server, over real sockets and files.
    @Suite struct ProxyJourneyTests {
        /// Asks a proxy that is started for it and stopped again.
        private func expectDocument(from origin: String, keptIn folder: URL, _ options: String...) async throws {
            let arguments = ["proxy", "--origin", origin, "--port", "0", "--data", folder.path] + options
            let (proxy, address) = try await Program.start(arguments, announcing: "The cache is at ")
            let (data, response) = try await URLSession.shared.data(from: try #require(URL(string: address + "list.xml")))
            #expect((response as? HTTPURLResponse)?.statusCode == 200)
            #expect(await proxy.stop() == 0)
            #expect(String(decoding: data, as: UTF8.self) == "<list/>")
        }

        @Test func `What was kept for one user is there after a restart, and not for many`() async throws {
            let folder = FileManager.default.temporaryDirectory.appending(path: "lading-proxy-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: folder) }
            let asked = Counter()
            var server = ForeignServer(documents: ["/list.xml": "<list/>"], whenAsked: { asked.count.add(1, ordering: .relaxed) })
            server.headers[.cacheControl] = "max-age=600"
            try await server.serve { origin in
                for _ in 0..<2 { try await expectDocument(from: origin, keptIn: folder) }
                #expect(asked.count.load(ordering: .relaxed) == 1)
                for _ in 0..<2 { try await expectDocument(from: origin, keptIn: folder, "--shared") }
                #expect(asked.count.load(ordering: .relaxed) == 2)
            }
        }
    }
}

private final class Counter: Sendable {
    let count = Atomic(0)
}
