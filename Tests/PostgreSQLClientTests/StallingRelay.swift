import Foundation
import Synchronization

/// A relay of TCP connections to a port of 127.0.0.1, which accepts the second connection, and neither answers nor closes it.
final class StallingRelay: Sendable {
    /// A failed system call.
    struct Failure: Error {
        let call: String
        let code: Int32
    }

    /// The port for clients.
    let port: Int
    private let serverPort: Int
    private let listener: Int32
    /// The open sockets of connections.
    private let sockets = Mutex<[Int32]>([])

    init(to serverPort: Int) throws {
        self.serverPort = serverPort
        let descriptor = socket(AF_INET, Self.kind, 0)
        var address = Self.loopback(port: 0)
        try Self.call("bind", &address) { bind(descriptor, $0, $1.pointee) }
        try Self.call("listen", &address) { _, _ in listen(descriptor, 16) }
        try Self.call("getsockname", &address) { getsockname(descriptor, $0, $1) }
        listener = descriptor
        port = Int(UInt16(bigEndian: address.sin_port))
        Thread.detachNewThread { [self] in acceptConnections() }
    }

    /// Ends all connections.
    func stop() { for socket in sockets.withLock(\.self) + [listener] { Self.end(socket) } }

    private func acceptConnections() {
        var count = 0
        while true {
            let client = accept(listener, nil, nil)
            guard client >= 0 else { return }
            count += 1
            sockets.withLock { $0.append(client) }
            if count != 2 { connectToServer(client) }
        }
    }

    private func connectToServer(_ client: Int32) {
        let server = socket(AF_INET, Self.kind, 0)
        var address = Self.loopback(port: serverPort)
        guard (try? Self.call("connect", &address) { connect(server, $0, $1.pointee) }) != nil else { return Self.end(client) }
        sockets.withLock { $0.append(server) }
        for (source, target) in [(client, server), (server, client)] {
            Thread.detachNewThread { Self.forward(from: source, to: target) }
        }
    }

    /// Forwards bytes until either side ends, and then ends both.
    private static func forward(from source: Int32, to target: Int32) {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(source, &buffer, buffer.count, 0)
            guard count > 0, send(target, buffer, count, sendFlags) == count else { break }
        }
        for socket in [source, target] { end(socket) }
    }

    private static func call(
        _ name: String, _ address: inout sockaddr_in,
        _ body: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
    ) throws {
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, &length) }
        }
        guard result == 0 else { throw Failure(call: name, code: errno) }
    }

    private static func loopback(port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    private static func end(_ socket: Int32) {
        #if canImport(Glibc)
            _ = shutdown(socket, Int32(SHUT_RDWR))
        #else
            _ = shutdown(socket, SHUT_RDWR)
        #endif
    }

    private static let kind: Int32 = {
        #if canImport(Glibc)
            Int32(SOCK_STREAM.rawValue)
        #else
            SOCK_STREAM
        #endif
    }()

    private static let sendFlags: Int32 = {
        #if canImport(Darwin)
            0
        #else
            Int32(MSG_NOSIGNAL)
        #endif
    }()
}
