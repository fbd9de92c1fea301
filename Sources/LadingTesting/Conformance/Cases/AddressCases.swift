import LadingHTTP

extension ExecutorConformance.Case {
    /// Where an exchange may lead to.
    static let addresses =
        ["127.0.0.1", "localhost", "2130706433", "0x7f.1", "0177.0.0.1", "[::ffff:127.0.0.1]"].map { host in
            Self("\(host) is refused to those who may only reach public addresses") { trial in
                let server = try trial.server(.send(head: 200, length: 0))

                await trial.expectFailure(.refused) {
                    try await trial.reply(to: RequestMessage(url: server.url(host: host), reach: .publicOnly))
                }

                trial.expectEqual(server.seen.bytesReceived, 0, "bytes that the server received")
            }
        } + [
            Self("A connection made for others is not lent to those who may only reach public addresses") { trial in
                let server = try trial.server(.send(head: 200, length: 0))
                _ = try await trial.reply(from: server)

                await trial.expectFailure(.refused) {
                    try await trial.reply(to: RequestMessage(url: server.url(), reach: .publicOnly))
                }

                trial.expectEqual(server.seen.requests.count, 1, "requests")
            },
            Self("The address is judged on the connection, which is closed unused", capabilities: [.connectedAddressCheck]) { trial in
                let server = try trial.server(.send(head: 200, length: 0))

                await trial.expectFailure(.refused) {
                    try await trial.reply(to: RequestMessage(url: server.url(), reach: .publicOnly))
                }

                try await trial.expectClosing(server)
                trial.expectEqual(server.seen.connections, 1, "connections")
                trial.expectEqual(server.seen.bytesReceived, 0, "bytes that the server received")
            },
        ]
}
