import Foundation
import Synchronization

/// A relay of TCP connections to a port of 127.0.0.1, which accepts the second connection, and neither answers nor closes it.
package final class StallingRelay: Sendable {
    /// The port for clients.
    package let port: Int
    private let serverPort: Int
    private let listener: StreamSocket
    /// The open sockets of connections.
    private let sockets = Mutex<[StreamSocket]>([])

    package init(to serverPort: Int) throws {
        self.serverPort = serverPort
        (listener, port) = try StreamSocket.bound()
        Thread.detachNewThread { [self] in acceptConnections() }
    }

    /// Ends all connections.
    package func stop() { for socket in sockets.withLock(\.self) + [listener] { socket.shutDown() } }

    private func acceptConnections() {
        var count = 0
        while let client = listener.accept() {
            count += 1
            sockets.withLock { $0.append(client) }
            if count != 2 { connectToServer(client) }
        }
    }

    private func connectToServer(_ client: StreamSocket) {
        guard let server = try? StreamSocket.connected(to: serverPort) else { return client.shutDown() }
        sockets.withLock { $0.append(server) }
        for (source, target) in [(client, server), (server, client)] {
            Thread.detachNewThread { Self.forward(from: source, to: target) }
        }
    }

    /// Forwards bytes until either side ends, and then ends both.
    private static func forward(from source: StreamSocket, to target: StreamSocket) {
        while let bytes = source.receive(atMost: 65_536), target.send(bytes, onWrite: { _ in }, onStall: {}) {}
        for socket in [source, target] { socket.shutDown() }
    }
}
