package import Foundation
import Synchronization

/// A server on 127.0.0.1 that does what a script says, step by step and however wrong, and tells what it saw.
///
/// ```swift
/// let server = try ScriptedServer { request in [.send("HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\nhello"), .hangUp] }
/// defer { server.stop() }
/// ```
package final class ScriptedServer: Sendable {
    /// Bytes that come over time.
    package struct ByteSource: Sendable {
        package enum Piece: Sendable {
            case bytes([UInt8])
            /// There is nothing to be sent for now.
            case idle
            /// There will be nothing any more.
            case end
        }

        package let next: @Sendable () -> Piece
        /// Hears that the client has gone.
        package let onDisconnect: @Sendable () -> Void

        package init(next: @escaping @Sendable () -> Piece, onDisconnect: @escaping @Sendable () -> Void) {
            self.next = next
            self.onDisconnect = onDisconnect
        }
    }

    /// What it does once it has read a request. After the last step it waits for the next request, or for the end of the connection.
    package enum Step: Sendable {
        case send([UInt8])
        /// Sends the same bytes this many times, or until the client hangs up.
        case sendRepeatedly([UInt8], times: Int)
        /// Sends what there is, as it comes, until there will be no more, or the client has gone.
        case sendStream(ByteSource)
        /// Waits until it is told to `proceed`.
        case pause
        case close
        /// Hangs up without the courtesies of TCP.
        case reset

        package static func send(_ text: String) -> Step { .send(Array(text.utf8)) }
    }

    /// What it has seen and done.
    package struct Log: Sendable {
        package var connections = 0
        /// How many requests have begun to arrive.
        package var heads = 0
        /// The requests that have arrived whole.
        package var requests: [ReceivedRequest] = []
        /// How many bytes it was sent.
        package var bytesReceived = 0
        /// How many bytes the system took from it.
        package var bytesSent = 0
        /// How many connections the client has closed.
        package var closedByClient = 0
        /// How often the client has taken nothing for a while, although there was something.
        package var stalls = 0
    }

    /// The most connections at once; each has a thread.
    private static let connectionLimit = 256
    /// How long it watches a client that is sent something now and then, before it looks whether there is something to send, in milliseconds.
    private static let streamPollInterval: Int32 = 5

    package let port: Int
    private let listener: StreamSocket
    private let beforeBody: @Sendable (ReceivedRequest) -> [Step]
    private let respond: @Sendable (ReceivedRequest) -> [Step]
    private let observableLog = AwaitableValue(Log())
    private let openSockets = Mutex<Set<StreamSocket>>([])
    private let isStopped = Atomic(false)
    private let resumeSignal = DispatchSemaphore(value: 0)

    /// - Parameters:
    ///   - interject: What is done once the head of a request was read, and before its body is.
    ///   - answer: The script for a request.
    package init(
        beforeBody: @escaping @Sendable (ReceivedRequest) -> [Step] = { _ in [] },
        respond: @escaping @Sendable (ReceivedRequest) -> [Step]
    ) throws {
        (listener, port) = try StreamSocket.listening()
        self.beforeBody = beforeBody
        self.respond = respond
        Thread.detachNewThread { [self] in acceptConnections() }
    }

    /// The URL of a path on it.
    package func url(_ path: String = "/thing", host: String = "127.0.0.1") -> URL {
        Self.url(path, host, port)
    }

    /// A URL on 127.0.0.1 that leads nowhere.
    package static func unreachableURL() throws -> URL {
        let (socket, port) = try StreamSocket.listening()
        socket.close()
        return url("/", "127.0.0.1", port)
    }

    private static func url(_ path: String, _ host: String, _ port: Int) -> URL {
        guard let url = URL(string: "http://\(host):\(port)\(path)") else { preconditionFailure("no URL: \(host), \(path)") }
        return url
    }

    package var log: Log { observableLog.value }

    /// Waits until the log tells something.
    package func wait(until isSatisfied: @escaping @Sendable (Log) -> Bool) async throws {
        try await observableLog.wait(until: isSatisfied)
    }

    /// Lets one pause end, one that has begun or the next to come.
    package func resume() { resumeSignal.signal() }

    /// Closes all connections and listens no more.
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
        while let socket = listener.accept(), !isStopped.load(ordering: .relaxed) {
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
    }

    private func serve(_ socket: StreamSocket) {
        var reader = RequestReader(socket) { count in self.observableLog.change { $0.bytesReceived += count } }
        while let head = reader.nextHead() {
            observableLog.change { $0.heads += 1 }
            for step in beforeBody(head) where !perform(step, on: socket) { return }
            guard let request = reader.complete(head) else { break }
            observableLog.change { $0.requests.append(request) }
            for step in respond(request) where !perform(step, on: socket) { return }
        }
        if !isStopped.load(ordering: .relaxed) { observableLog.change { $0.closedByClient += 1 } }
    }

    /// Performs a step, and says whether the connection lives.
    private func perform(_ step: Step, on socket: StreamSocket) -> Bool {
        switch step {
        case .send(let bytes): return send(bytes, on: socket)
        case .sendRepeatedly(let bytes, let times):
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

    /// Sends what comes, and then hangs up.
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
            bytes, onWrite: { count in self.observableLog.change { $0.bytesSent += count } }, onStall: { self.observableLog.change { $0.stalls += 1 } })
        if !isSent, !isStopped.load(ordering: .relaxed) { observableLog.change { $0.closedByClient += 1 } }
        return isSent
    }
}
