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
    package struct LiveBytes: Sendable {
        package enum Piece: Sendable {
            case bytes([UInt8])
            /// There is nothing to be sent for now.
            case nothing
            /// There will be nothing any more.
            case end
        }

        package let next: @Sendable () -> Piece
        /// Hears that the client has gone.
        package let left: @Sendable () -> Void

        package init(next: @escaping @Sendable () -> Piece, left: @escaping @Sendable () -> Void) {
            self.next = next
            self.left = left
        }
    }

    /// What it does once it has read a request. After the last step it waits for the next request, or for the end of the connection.
    package enum Step: Sendable {
        case send([UInt8])
        /// Sends the same bytes this many times, or until the client hangs up.
        case sendAgain([UInt8], times: Int)
        /// Sends what there is, as it comes, until there will be no more, or the client has gone.
        case sendLive(LiveBytes)
        /// Waits until it is told to `proceed`.
        case pause
        case hangUp
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
    private static let livePeriod: Int32 = 5

    package let port: Int
    private let listener: StreamSocket
    private let interject: @Sendable (ReceivedRequest) -> [Step]
    private let answer: @Sendable (ReceivedRequest) -> [Step]
    private let log = Watched(Log())
    private let open = Mutex<Set<StreamSocket>>([])
    private let isStopped = Atomic(false)
    private let proceeding = DispatchSemaphore(value: 0)

    /// - Parameters:
    ///   - interject: What is done once the head of a request was read, and before its body is.
    ///   - answer: The script for a request.
    package init(
        interject: @escaping @Sendable (ReceivedRequest) -> [Step] = { _ in [] },
        answer: @escaping @Sendable (ReceivedRequest) -> [Step]
    ) throws {
        (listener, port) = try StreamSocket.listening()
        self.interject = interject
        self.answer = answer
        Thread.detachNewThread { [self] in acceptAll() }
    }

    /// The URL of a path on it.
    package func url(_ path: String = "/thing", host: String = "127.0.0.1") -> URL {
        Self.url(path, host, port)
    }

    /// A URL on 127.0.0.1 that leads nowhere.
    package static func urlWhereNobodyListens() throws -> URL {
        let (socket, port) = try StreamSocket.listening()
        socket.close()
        return url("/", "127.0.0.1", port)
    }

    private static func url(_ path: String, _ host: String, _ port: Int) -> URL {
        guard let url = URL(string: "http://\(host):\(port)\(path)") else { preconditionFailure("no URL: \(host), \(path)") }
        return url
    }

    package var seen: Log { log.value }

    /// Waits until the log tells something.
    package func until(_ isTold: @escaping @Sendable (Log) -> Bool) async throws {
        try await log.until(isTold)
    }

    /// Lets one pause end, one that has begun or the next to come.
    package func proceed() { proceeding.signal() }

    /// Closes all connections and listens no more.
    package func stop() {
        guard !isStopped.exchange(true, ordering: .relaxed) else { return }
        StreamSocket.knock(on: port)
        open.withLock { open in
            for socket in open {
                socket.shutDown()
                proceeding.signal()
            }
        }
    }

    private func acceptAll() {
        while let socket = listener.accept(), !isStopped.load(ordering: .relaxed) {
            let isTaken = open.withLock { open in open.count < Self.connectionLimit && open.insert(socket).inserted }
            guard isTaken else {
                socket.close()
                continue
            }
            log.change { $0.connections += 1 }
            Thread.detachNewThread { [self] in
                serve(socket)
                open.withLock { _ = $0.remove(socket) }
                socket.close()
            }
        }
        listener.close()
    }

    private func serve(_ socket: StreamSocket) {
        var reader = RequestReader(socket) { count in self.log.change { $0.bytesReceived += count } }
        while let head = reader.nextHead() {
            log.change { $0.heads += 1 }
            for step in interject(head) where !perform(step, on: socket) { return }
            guard let request = reader.complete(head) else { break }
            log.change { $0.requests.append(request) }
            for step in answer(request) where !perform(step, on: socket) { return }
        }
        if !isStopped.load(ordering: .relaxed) { log.change { $0.closedByClient += 1 } }
    }

    /// Performs a step, and says whether the connection lives.
    private func perform(_ step: Step, on socket: StreamSocket) -> Bool {
        switch step {
        case .send(let bytes): return send(bytes, on: socket)
        case .sendAgain(let bytes, let times):
            for _ in 0..<times where !send(bytes, on: socket) { return false }
        case .sendLive(let source): return sendLive(source, on: socket)
        case .pause:
            proceeding.wait()
            return !isStopped.load(ordering: .relaxed)
        case .hangUp: return false
        case .reset:
            socket.resetOnClose()
            return false
        }
        return true
    }

    /// Sends what comes, and then hangs up.
    private func sendLive(_ source: LiveBytes, on socket: StreamSocket) -> Bool {
        while !isStopped.load(ordering: .relaxed) {
            switch source.next() {
            case .bytes(let bytes):
                guard send(bytes, on: socket) else {
                    source.left()
                    return false
                }
            case .end: return false
            case .nothing:
                guard !socket.hasEnded(within: Self.livePeriod) else {
                    log.change { $0.closedByClient += 1 }
                    source.left()
                    return false
                }
            }
        }
        return false
    }

    private func send(_ bytes: [UInt8], on socket: StreamSocket) -> Bool {
        let isSent = socket.send(
            bytes, whenTaken: { count in self.log.change { $0.bytesSent += count } }, whenStalled: { self.log.change { $0.stalls += 1 } })
        if !isSent, !isStopped.load(ordering: .relaxed) { log.change { $0.closedByClient += 1 } }
        return isSent
    }
}
