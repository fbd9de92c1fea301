import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import ServerSecurity
import ServerStartup
import Testing

@testable import Origin

@Suite("Plain answers")
struct PlainAnswersTests {
    private static let leavings: [any Error] = [
        CancellationError(), ChannelError.eof, ChannelError.ioOnClosedChannel, IOError(errnoCode: 104, reason: "read"),
    ]

    @Test(arguments: leavings.indices) func `A client that leaves is no failure of the server`(index: Int) async throws {
        let router = Router()
        router.add(middleware: PlainAnswers(hosts: AllowedHosts(listeningOn: ListenAddress(port: 0)), methods: { _ in nil }))
        router.get("left") { _, _ -> Response in throw Self.leavings[index] }

        let answer = try await Application(router: router, logger: quiet).test(.router) { client in
            try await client.executeRequest(uri: "/left", method: .get, headers: [:], body: nil)
        }

        #expect(answer.status == .serviceUnavailable)
    }
}
