import Foundation

/// An IPv4 TCP socket with blocking operations, for use on its own thread.
struct StreamSocket: Hashable, Sendable {
    /// A failed system call.
    struct Failure: Error, CustomStringConvertible {
        let call: String
        let code: Int32

        var description: String { "\(call): \(String(cString: strerror(code)))" }
    }

    /// The time without a write after which a client counts as stalled, in milliseconds.
    private static let writeTimeout: Int32 = 300

    private let descriptor: Int32

    /// Returns a socket with a port of 127.0.0.1, and the port.
    ///
    /// - Parameters:
    ///   - port: The port; 0 for any free one.
    ///   - listens: Whether it accepts connections; otherwise it only keeps others from using the port.
    static func bound(to port: UInt16 = 0, listens: Bool = true) throws -> (StreamSocket, port: Int) {
        let descriptor = socket(AF_INET, kind, 0)
        guard descriptor >= 0 else { throw Failure(call: "socket", code: errno) }
        var address = loopback
        address.sin_port = port.bigEndian
        // Connections of an earlier listener may still occupy the port; the system asks that both have set this.
        if listens { StreamSocket(descriptor: descriptor).set(SOL_SOCKET, SO_REUSEADDR, CInt(1)) }
        do {
            try check("bind", on: &address) { bind(descriptor, $0, $1.pointee) }
            if listens { try check("listen", on: &address) { _, _ in listen(descriptor, 128) } }
            try check("getsockname", on: &address) { getsockname(descriptor, $0, $1) }
        } catch {
            _ = Foundation.close(descriptor)
            throw error
        }
        return (StreamSocket(descriptor: descriptor), Int(UInt16(bigEndian: address.sin_port)))
    }

    private static func check(
        _ call: String, on address: inout sockaddr_in,
        _ body: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
    ) throws {
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, &length) }
        }
        guard result == 0 else { throw Failure(call: call, code: errno) }
    }

    /// Connects to a port of 127.0.0.1 and closes the connection, to wake a thread that waits in `accept()`.
    static func wakeListener(on port: Int) { try? connected(to: port).close() }

    /// Returns a socket that is connected to a port of 127.0.0.1.
    static func connected(to port: Int) throws -> StreamSocket {
        let descriptor = socket(AF_INET, kind, 0)
        guard descriptor >= 0 else { throw Failure(call: "socket", code: errno) }
        var address = loopback
        address.sin_port = UInt16(port).bigEndian
        do {
            try check("connect", on: &address) { connect(descriptor, $0, $1.pointee) }
        } catch {
            _ = Foundation.close(descriptor)
            throw error
        }
        return StreamSocket(descriptor: descriptor)
    }

    private static let kind: Int32 = {
        #if canImport(Glibc)
            Int32(SOCK_STREAM.rawValue)
        #else
            SOCK_STREAM
        #endif
    }()

    private static let loopback: sockaddr_in = {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }()

    /// Waits for the next connection; nil when the socket is closed.
    func accept() -> StreamSocket? {
        while true {
            let connection = Foundation.accept(descriptor, nil, nil)
            if connection < 0, errno == EINTR || errno == ECONNABORTED { continue }
            guard connection >= 0 else { return nil }
            let socket = StreamSocket(descriptor: connection)
            socket.set(Int32(IPPROTO_TCP), TCP_NODELAY, Int32(1))
            #if canImport(Darwin)
                socket.set(SOL_SOCKET, SO_NOSIGPIPE, Int32(1))
            #endif
            return socket
        }
    }

    /// Receives at most `count` bytes; nil at the end of the connection.
    func receive(atMost count: Int) -> [UInt8]? {
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, received in
            received = max(0, recv(descriptor, buffer.baseAddress, count, 0))
        }
        return bytes.isEmpty ? nil : bytes
    }

    /// Sends bytes, waiting as long as necessary. Returns whether the connection is still open.
    func send(_ bytes: [UInt8], onWrite: (Int) -> Void, onStall: () -> Void) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.send(descriptor, $0.baseAddress, $0.count, Self.flags) }
            if count > 0 {
                onWrite(count)
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN || errno == EWOULDBLOCK {
                waitUntilWritable(onStall)
            } else if errno != EINTR {
                return false
            }
        }
        return true
    }

    /// Whether the peer has closed the connection; waits for a period in milliseconds.
    func hasEnded(within period: Int32) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&entry, 1, period) > 0 else { return false }
        var byte: UInt8 = 0
        let count = recv(descriptor, &byte, 1, Self.flags | Int32(MSG_PEEK))
        return count == 0 || (count < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)
    }

    /// Shuts both directions down, which ends blocked operations of other threads.
    func shutDown() {
        #if canImport(Glibc)
            _ = Foundation.shutdown(descriptor, Int32(SHUT_RDWR))
        #else
            _ = Foundation.shutdown(descriptor, SHUT_RDWR)
        #endif
    }

    func resetOnClose() {
        set(SOL_SOCKET, SO_LINGER, linger(l_onoff: 1, l_linger: 0))
    }

    func close() { _ = Foundation.close(descriptor) }

    private static var flags: Int32 {
        #if canImport(Darwin)
            MSG_DONTWAIT
        #else
            Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
        #endif
    }

    private func waitUntilWritable(_ onStall: () -> Void) {
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        if poll(&entry, 1, Self.writeTimeout) == 0 {
            onStall()
            _ = poll(&entry, 1, -1)
        }
    }

    private func set<Value>(_ level: Int32, _ option: Int32, _ value: Value) {
        _ = withUnsafePointer(to: value) { setsockopt(descriptor, level, option, $0, socklen_t(MemoryLayout<Value>.size)) }
    }
}
