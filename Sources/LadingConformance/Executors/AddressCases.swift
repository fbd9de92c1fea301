import LadingHTTP
import ScriptedServers

extension ExecutorConformance.Case {
    /// The addresses to which an exchange may connect.
    static let addresses =
        ["127.0.0.1", "localhost", "2130706433", "0x7f.1", "0177.0.0.1", "[::ffff:127.0.0.1]"].map { host in
            Self("\(host) is refused to those who may only reach public addresses") { trial in
                let server = try trial.server(.send(head: 200, length: 0))

                await trial.expectFailure(.refused) {
                    try await trial.response(to: RequestMessage(url: server.url(host: host), addressPolicy: .publicOnly))
                }

                trial.expectEqual(server.log.bytesReceived, 0, "bytes that the server received")
            }
        } + [
            Self("A connection to a private address is not reused by requests limited to public ones") { trial in
                let server = try trial.server(.send(head: 200, length: 0))
                _ = try await trial.response(from: server)

                await trial.expectFailure(.refused) {
                    try await trial.response(to: RequestMessage(url: server.url(), addressPolicy: .publicOnly))
                }

                trial.expectEqual(server.log.requests.count, 1, "requests")
            },
            Self("The address is checked on the connection, which is closed unused", capabilities: [.connectedAddressCheck]) { trial in
                let server = try trial.server(.send(head: 200, length: 0))

                await trial.expectFailure(.refused) {
                    try await trial.response(to: RequestMessage(url: server.url(), addressPolicy: .publicOnly))
                }

                try await trial.expectClientClose(from: server)
                trial.expectEqual(server.log.connections, 1, "connections")
                trial.expectEqual(server.log.bytesReceived, 0, "bytes that the server received")
            },
        ]
}
