package import Foundation
import Synchronization

/// A server on 127.0.0.1 that performs scripted steps, valid or not, and logs what it receives.
///
/// ```swift
/// let server = try ScriptedServer { request in [.send("HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\nhello"), .close] }
/// defer { server.stop() }
/// ```
package final class ScriptedServer: Sendable {
    /// A source of bytes that become available over time.
    package struct ByteSource: Sendable {
        package enum Piece: Sendable {
            case bytes([UInt8])
            /// No bytes are available yet.
            case idle
            /// No more bytes follow.
            case end
        }

        package let next: @Sendable () -> Piece
        /// Called when the client has disconnected.
        package let onDisconnect: @Sendable () -> Void

        package init(next: @escaping @Sendable () -> Piece, onDisconnect: @escaping @Sendable () -> Void = {}) {
            self.next = next
            self.onDisconnect = onDisconnect
        }
    }

    /// A step after a request was read. After the last step the server waits for the next request, or for the end of the connection.
    package enum Step: Sendable {
        case send([UInt8])
        /// Sends the same bytes this many times, or until the client disconnects.
        case sendRepeating([UInt8], times: Int)
        /// Sends bytes as they become available, until the source ends or the client disconnects.
        case sendStream(ByteSource)
        /// Waits for `resume()`.
        case pause
        case close
        /// Closes the connection with a TCP reset.
        case reset

        package static func send(_ text: String) -> Step { .send(Array(text.utf8)) }
    }

    /// The events of a server.
    package struct Log: Sendable {
        package var connections = 0
        /// The number of received request heads.
        package var heads = 0
        /// The requests received completely.
        package var requests: [ReceivedRequest] = []
        /// The number of received bytes.
        package var bytesReceived = 0
        /// The number of bytes accepted by the system for sending.
        package var bytesSent = 0
        /// The number of connections that the client has closed.
        package var closedByClient = 0
        /// The number of times that the client did not read for a while although bytes were pending.
        package var stalls = 0
        /// Whether the port is in use. It is free some time after `stop()`.
        package var isListening = true
    }

    /// The maximum number of concurrent connections; each has a thread.
    private static let connectionLimit = 256
    /// The maximum number of bytes that are received at once.
    private static let receiveLimit = 65_536
    /// The interval at which a streaming connection polls its source, in milliseconds.
    private static let streamPollInterval: Int32 = 5

    package let port: Int
    private let listener: StreamSocket
    private let beforeBody: @Sendable (ReceivedRequest) -> [Step]
    private let respond: @Sendable (ReceivedRequest) -> [Step]
    private let observableLog = ObservableValue(Log())
    private let openSockets = Mutex<Set<StreamSocket>>([])
    private let isStopped = Atomic(false)
    private let resumeSignal = DispatchSemaphore(value: 0)

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - port: The port; 0 for any free one.
    ///   - beforeBody: Returns the steps between the head of a request and its body.
    ///   - respond: Returns the script for a request.
    package init(
        port: UInt16 = 0,
        beforeBody: @escaping @Sendable (ReceivedRequest) -> [Step] = { _ in [] },
        respond: @escaping @Sendable (ReceivedRequest) -> [Step]
    ) throws {
        (listener, self.port) = try StreamSocket.bound(to: port)
        self.beforeBody = beforeBody
        self.respond = respond
        Thread.detachNewThread { [self] in acceptConnections() }
    }

    /// Returns the URL of a path on the server.
    package func url(_ path: String = "/thing", host: String = "127.0.0.1") -> URL {
        Self.url(path, host, port)
    }

    /// Returns a URL on 127.0.0.1 whose port has no listener until the program ends.
    package static func unreachableURL() throws -> URL {
        let (_, port) = try StreamSocket.bound(listens: false)
        return url("/", "127.0.0.1", port)
    }

    private static func url(_ path: String, _ host: String, _ port: Int) -> URL {
        guard let url = URL(string: "http://\(host):\(port)\(path)") else { preconditionFailure("no URL: \(host), \(path)") }
        return url
    }

    package var log: Log { observableLog.value }

    /// Waits until the log satisfies a condition.
    package func wait(until isSatisfied: @escaping @Sendable (Log) -> Bool) async throws {
        try await observableLog.wait(until: isSatisfied)
    }

    /// Ends one pause, either a current or the next one.
    package func resume() { resumeSignal.signal() }

    /// Closes all connections and the listening socket.
    package func stop() {
        guard !isStopped.exchange(true, ordering: .relaxed) else { return }
        StreamSocket.wakeListener(on: port)
        openSockets.withLock { open in
            for socket in open {
                socket.shutDown()
                resumeSignal.signal()
            }
        }
    }

    private func acceptConnections() {
        while let socket = listener.accept() {
            guard !isStopped.load(ordering: .relaxed) else {
                socket.close()
                break
            }
            let isAccepted = openSockets.withLock { open in open.count < Self.connectionLimit && open.insert(socket).inserted }
            guard isAccepted else {
                socket.close()
                continue
            }
            observableLog.change { $0.connections += 1 }
            Thread.detachNewThread { [self] in
                serve(socket)
                openSockets.withLock { _ = $0.remove(socket) }
                socket.close()
            }
        }
        listener.close()
        observableLog.change { $0.isListening = false }
    }

    private func serve(_ socket: StreamSocket) {
        var reader = RequestReader {
            let bytes = socket.receive(atMost: Self.receiveLimit)
            if let bytes { self.observableLog.change { $0.bytesReceived += bytes.count } }
            return bytes
        }
        while let head = reader.nextHead() {
            observableLog.change { $0.heads += 1 }
            for step in beforeBody(head) where !perform(step, on: socket) { return }
            guard let request = reader.complete(head) else { break }
            observableLog.change { $0.requests.append(request) }
            for step in respond(request) where !perform(step, on: socket) { return }
        }
        if !isStopped.load(ordering: .relaxed) { observableLog.change { $0.closedByClient += 1 } }
    }

    /// Performs a step. Returns whether the connection is still open.
    private func perform(_ step: Step, on socket: StreamSocket) -> Bool {
        switch step {
        case .send(let bytes): return send(bytes, on: socket)
        case .sendRepeating(let bytes, let times):
            for _ in 0..<times where !send(bytes, on: socket) { return false }
        case .sendStream(let source): return sendStream(source, on: socket)
        case .pause:
            resumeSignal.wait()
            return !isStopped.load(ordering: .relaxed)
        case .close: return false
        case .reset:
            socket.resetOnClose()
            return false
        }
        return true
    }

    /// Sends the bytes of a source, then closes the connection.
    private func sendStream(_ source: ByteSource, on socket: StreamSocket) -> Bool {
        while !isStopped.load(ordering: .relaxed) {
            switch source.next() {
            case .bytes(let bytes):
                guard send(bytes, on: socket) else {
                    source.onDisconnect()
                    return false
                }
            case .end: return false
            case .idle:
                guard !socket.hasEnded(within: Self.streamPollInterval) else {
                    observableLog.change { $0.closedByClient += 1 }
                    source.onDisconnect()
                    return false
                }
            }
        }
        return false
    }

    private func send(_ bytes: [UInt8], on socket: StreamSocket) -> Bool {
        let isSent = socket.send(
            bytes, onWrite: { count in self.observableLog.change { $0.bytesSent += count } },
            onStall: { self.observableLog.change { $0.stalls += 1 } })
        if !isSent, !isStopped.load(ordering: .relaxed) { observableLog.change { $0.closedByClient += 1 } }
        return isSent
    }
}
