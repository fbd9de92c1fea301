// Simulates many pages of a running window: each loads the list and holds its event stream open.
//
//     pages URL COUNT
//
// Prints "ready" when all pages have received their visible rows, then responds to each line of standard input with times in milliseconds:
//
//     patch          reloads one order, which all pages show: "patch <p50> <p99> <max>", the times until the pages received it
//     abandon COUNT  opens pages that never open their stream: "abandon <p50> <p99> <max>", the times until a page was read
//
// Exits at the end of its input. Linux only.

import Dispatch
import Glibc
import Synchronization

struct Failure: Error, CustomStringConvertible { let description: String }

/// A connection to the window for consecutive exchanges.
struct Connection {
    let descriptor: Int32

    /// Connects to the window.
    ///
    /// - Parameter client: The number of the client. The window limits the pages per address, so each hundred clients share another one of
    ///   127.0.0.0/8.
    init(host: String, port: UInt16, client: Int = 0) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        if host.hasPrefix("127.") { try bind(to: "127.0.1.\(1 + client / 100 % 250)") }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = inet_addr(host)
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
        }
        guard descriptor >= 0, result == 0 else { throw Failure(description: "cannot connect: errno \(errno)") }
        var on: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
    }

    private func bind(to host: String) throws {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr(host)
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw Failure(description: "cannot connect from \(host): errno \(errno)") }
    }

    func send(_ text: String) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { return }
            bytes = bytes.dropFirst(count)
        }
    }

    /// Reads until the received text is complete.
    func receive(until isComplete: (String) -> Bool) throws -> String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { throw Failure(description: "the window closed a connection: errno \(errno)") }
            bytes += buffer[..<count]
            let text = String(decoding: bytes, as: UTF8.self)
            if isComplete(text) { return text }
        }
    }

    func close() { Glibc.close(descriptor) }
}

struct WindowClient {
    let host: String
    let port: UInt16

    init(url: String) throws {
        let authority = url.split(separator: "/").dropFirst().first.map(String.init) ?? url
        let parts = authority.split(separator: ":")
        guard parts.count == 2, let port = UInt16(parts[1]) else { throw Failure(description: "this is no URL with a port: \(url)") }
        host = parts[0] == "localhost" ? "127.0.0.1" : String(parts[0])
        self.port = port
    }

    /// Opens the page at a path and returns its window id.
    func openPage(_ path: String, client: Int = 0) throws -> String {
        let connection = try Connection(host: host, port: port, client: client)
        defer { connection.close() }
        connection.send("GET \(path) HTTP/1.1\r\nHost: localhost:\(port)\r\nAccept: text/html\r\nConnection: close\r\n\r\n")
        let page = try connection.receive { $0.contains("</html>") }
        guard let start = page.endIndex(of: "data-window=\""), let end = page[start...].firstIndex(of: "\"") else {
            throw Failure(description: "\(path) has no window: \(page.prefix(200))")
        }
        return String(page[start..<end])
    }

    /// Opens a stream and reads until it has sent all visible rows.
    func loadedStream(of window: String, client: Int) throws -> Connection {
        let connection = try openStream(of: window, client: client)
        _ = try connection.receive { text in
            text.contains("event: list") && !text.contains("data-state=\\\"waiting\\\"") && text.contains("data-state=\\\"loaded\\\"")
                && text.hasSuffix("\n\n\r\n")
        }
        return connection
    }

    /// Opens the stream of a page. The window soon discards a page without one.
    func openStream(of window: String, client: Int = 0) throws -> Connection {
        let connection = try Connection(host: host, port: port, client: client)
        connection.send("GET /windows/\(window)/events HTTP/1.1\r\nHost: localhost:\(port)\r\nAccept: text/event-stream\r\n\r\n")
        return connection
    }

    func post(_ path: String) throws {
        let connection = try Connection(host: host, port: port)
        defer { connection.close() }
        connection.send(
            "POST \(path) HTTP/1.1\r\nHost: localhost:\(port)\r\nSec-Fetch-Site: same-origin\r\nContent-Type: application/json\r\n"
                + "Content-Length: 2\r\nConnection: close\r\n\r\n{}")
        let response = try connection.receive { $0.contains("\r\n\r\n") }
        guard response.contains(" 204 ") else { throw Failure(description: "\(path): \(response.prefix(80))") }
    }
}

extension String {
    func endIndex(of text: String) -> Index? {
        var rest = self[...]
        while let first = text.first, let index = rest.firstIndex(of: first) {
            rest = rest[index...]
            if rest.hasPrefix(text) { return rest.index(index, offsetBy: text.count) }
            rest = rest.dropFirst()
        }
        return nil
    }
}

/// The streams of all pages.
///
/// It uses epoll, which reports only ready streams: polling ten thousand of them would compete with the window for processor time.
struct Streams {
    private let events = epoll_create1(0)
    private var descriptors: [Int32] = []
    private var ready: [epoll_event] = []

    mutating func add(_ connection: Connection) {
        let descriptor = connection.descriptor
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        // Edge-triggered: reports a stream once until more bytes arrive.
        var event = epoll_event(events: EPOLLIN.rawValue | EPOLLET.rawValue, data: epoll_data(u32: UInt32(descriptors.count)))
        epoll_ctl(events, EPOLL_CTL_ADD, descriptor, &event)
        descriptors.append(descriptor)
        ready.append(epoll_event())
    }

    /// Reads and discards bytes for a period.
    mutating func drain(seconds: Double) {
        let end = now() + seconds * 1_000
        while now() < end { for stream in wait(atMost: 100) { _ = read(stream) } }
    }

    /// Returns the sorted times from a change to the arrival of rows on each stream, in milliseconds.
    ///
    /// Nil when a stream received other events. Times can be up to 5 ms too long: to spare the window processor time, it polls with pauses and reads
    /// the streams afterwards.
    mutating func measure(_ change: () throws -> Void) rethrows -> [Double]? {
        let start = now()
        try change()
        var arrived: [Double?] = Array(repeating: nil, count: descriptors.count)
        var missing = descriptors.count
        while missing > 0, now() - start < 30_000 {
            usleep(5_000)
            let streams = wait(atMost: 1_000)
            let time = now() - start
            for stream in streams where arrived[stream] == nil {
                arrived[stream] = time
                missing -= 1
            }
        }
        return descriptors.indices.allSatisfy { arrived[$0] == nil || read($0).contains(rowsEvent) }
            ? arrived.compactMap(\.self).sorted() : nil
    }

    /// Returns the streams that have received bytes since the last call.
    private mutating func wait(atMost timeout: Int32) -> [Int] {
        let count = epoll_wait(events, &ready, Int32(ready.count), timeout)
        return ready.prefix(Int(max(0, count))).map { Int($0.data.u32) }
    }

    /// Reads the available bytes of a stream.
    private func read(_ stream: Int) -> String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while case let count = Glibc.read(descriptors[stream], &buffer, buffer.count), count > 0 { bytes += buffer[..<count] }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// The event of changed rows; heartbeats may occur between two of them.
let rowsEvent = "event: rows"

/// Runs work for each client, several concurrently, until one fails.
///
/// - Throws: The last error of the work.
func forEachClient<Value: Sendable>(
    _ count: Int, concurrency: Int, _ work: @Sendable (Int) throws -> Value
) throws -> [Value] {
    let results = Mutex((values: [Value](), failure: (any Error)?.none))
    DispatchQueue.concurrentPerform(iterations: concurrency) { first in
        for client in stride(from: first, to: count, by: concurrency) {
            do {
                let value = try work(client)
                results.withLock { $0.values.append(value) }
            } catch {
                results.withLock { $0.failure = error }
            }
            if results.withLock({ $0.failure != nil }) { return }
        }
    }
    return try results.withLock { results in
        if let failure = results.failure { throw failure }
        return results.values
    }
}

/// Opens pages and their streams.
func openStreams(_ count: Int, of window: WindowClient) throws -> [Connection] {
    try forEachClient(count, concurrency: 4) { try window.loadedStream(of: try window.openPage("/orders"), client: $0) }
}

/// Opens pages that never open their stream, and returns the duration of each, sorted, in milliseconds.
func openPagesWithoutStreams(_ count: Int, of window: WindowClient) throws -> [Double] {
    try forEachClient(count, concurrency: 2) { client in
        let start = now()
        _ = try window.openPage("/deliveries", client: client)
        return now() - start
    }.sorted()
}

/// Prints the percentiles of sorted times.
func printTimes(_ name: String, _ times: [Double]) {
    printLine("\(name) \(times[times.count / 2]) \(times[times.count * 99 / 100]) \(times[times.count - 1])")
}

func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) * 1_000 + Double(time.tv_nsec) / 1_000_000
}

func printLine(_ text: String) {
    print(text)
    fflush(stdout)
}

do {
    guard CommandLine.arguments.count == 3, let count = Int(CommandLine.arguments[2]) else {
        throw Failure(description: "usage: pages URL COUNT")
    }
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    limit.rlim_cur = limit.rlim_max
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    let window = try WindowClient(url: CommandLine.arguments[1])
    let order = try window.openPage("/orders/1")
    let orderStream = try window.openStream(of: order)
    defer { orderStream.close() }
    var streams = Streams()
    for connection in try openStreams(count, of: window) { streams.add(connection) }
    streams.drain(seconds: 2)
    printLine("ready")
    while let line = readLine() {
        let words = line.split(separator: " ")
        if words.first == "abandon", words.count == 2, let pages = Int(words[1]), pages > 0 {
            printTimes("abandon", try openPagesWithoutStreams(pages, of: window))
            streams.drain(seconds: 2)
            continue
        }
        guard words == ["patch"] else { throw Failure(description: "this is neither patch nor abandon COUNT: \(line)") }
        var times: [Double]?
        // A heartbeat of a stream spoils a measurement, which is then repeated.
        for _ in 0..<3 where times == nil {
            times = try streams.measure { try window.post("/windows/\(order)/refresh") }
            streams.drain(seconds: 1)
        }
        guard let times else { throw Failure(description: "the pages got something other than the change, three times") }
        guard times.count == count else { throw Failure(description: "only \(times.count) of \(count) pages got the change") }
        printTimes("patch", times)
    }
} catch {
    fputs("pages: \(error)\n", stderr)
    exit(1)
}
