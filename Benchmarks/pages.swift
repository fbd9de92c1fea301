// Opens many pages of a running window at once, as browsers without eyes: each fetches the list and holds its event stream open.
//
//     pages URL COUNT
//
// Prints "ready" when all pages have what is in view, and then answers each line of standard input, with times in milliseconds:
//
//     patch          makes one order load anew, which all pages show: "patch <p50> <p99> <max>", the times until the pages had it
//     abandon COUNT  opens so many pages that never open their stream: "abandon <p50> <p99> <max>", the times until one was read
//
// Ends with its input. Linux only.

import Dispatch
import Glibc
import Synchronization

struct Failure: Error, CustomStringConvertible { let description: String }

/// A connection to the window, for one exchange after the other.
struct Connection {
    let descriptor: Int32

    /// - Parameter client: Which client connects. A window limits the pages of an address: on this machine each hundred clients have another one of 127.0.0.0/8.
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

    /// Reads until the text so far ends an exchange.
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

struct Window {
    let host: String
    let port: UInt16

    init(url: String) throws {
        let authority = url.split(separator: "/").dropFirst().first.map(String.init) ?? url
        let parts = authority.split(separator: ":")
        guard parts.count == 2, let port = UInt16(parts[1]) else { throw Failure(description: "this is no URL with a port: \(url)") }
        host = parts[0] == "localhost" ? "127.0.0.1" : String(parts[0])
        self.port = port
    }

    /// The id of the window that a page at a path has.
    func open(_ path: String, client: Int = 0) throws -> String {
        let connection = try Connection(host: host, port: port, client: client)
        defer { connection.close() }
        connection.send("GET \(path) HTTP/1.1\r\nHost: localhost:\(port)\r\nAccept: text/html\r\nConnection: close\r\n\r\n")
        let page = try connection.receive { $0.contains("</html>") }
        guard let start = page.range(after: "data-window=\""), let end = page[start...].firstIndex(of: "\"") else {
            throw Failure(description: "\(path) has no window: \(page.prefix(200))")
        }
        return String(page[start..<end])
    }

    /// A stream that has sent all that is in view.
    func stream(_ window: String, client: Int) throws -> Connection {
        let connection = try listen(to: window, client: client)
        _ = try connection.receive { text in
            text.contains("event: list") && !text.contains("data-state=\\\"waiting\\\"") && text.contains("data-state=\\\"loaded\\\"")
                && text.hasSuffix("\n\n\r\n")
        }
        return connection
    }

    /// A stream from its beginning. A page without one is soon forgotten.
    func listen(to window: String, client: Int = 0) throws -> Connection {
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
        let reply = try connection.receive { $0.contains("\r\n\r\n") }
        guard reply.contains(" 204 ") else { throw Failure(description: "\(path): \(reply.prefix(80))") }
    }
}

extension String {
    func range(after text: String) -> Index? {
        var rest = self[...]
        while let first = text.first, let index = rest.firstIndex(of: first) {
            rest = rest[index...]
            if rest.hasPrefix(text) { return rest.index(index, offsetBy: text.count) }
            rest = rest.dropFirst()
        }
        return nil
    }
}

/// The streams of all pages, waited for together.
///
/// By epoll, which tells of those that have something: to ask ten thousand of them again and again would take the processor from the window.
struct Streams {
    private let events = epoll_create1(0)
    private var descriptors: [Int32] = []
    private var ready: [epoll_event] = []

    mutating func add(_ connection: Connection) {
        let descriptor = connection.descriptor
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        // Told once for what arrives, until more does.
        var event = epoll_event(events: EPOLLIN.rawValue | EPOLLET.rawValue, data: epoll_data(u32: UInt32(descriptors.count)))
        epoll_ctl(events, EPOLL_CTL_ADD, descriptor, &event)
        descriptors.append(descriptor)
        ready.append(epoll_event())
    }

    /// Reads away what is there, for a while.
    mutating func drain(seconds: Double) {
        let end = now() + seconds * 1_000
        while now() < end { for stream in wait(atMost: 100) { _ = read(stream) } }
    }

    /// When the streams got rows, the first one first, in milliseconds since the change was asked for; it may have been 5 ms earlier. Nil when some got something else.
    ///
    /// What the streams got is read afterwards, and it is not asked for without pause: the processor is the window's.
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
        return descriptors.indices.allSatisfy { arrived[$0] == nil || read($0).contains(rows) } ? arrived.compactMap(\.self).sorted() : nil
    }

    /// The streams that something has arrived on since they were asked for last.
    private mutating func wait(atMost timeout: Int32) -> [Int] {
        let count = epoll_wait(events, &ready, Int32(ready.count), timeout)
        return ready.prefix(Int(max(0, count))).map { Int($0.data.u32) }
    }

    /// What is there to read on a stream.
    private func read(_ stream: Int) -> String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while case let count = Glibc.read(descriptors[stream], &buffer, buffer.count), count > 0 { bytes += buffer[..<count] }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// What a stream says of rows; between two of them it may say that it is alive.
let rows = "event: rows"

/// Runs work for each client, several at a time, until one fails.
///
/// - Throws: The last error of the work.
func forEachClient<Value: Sendable>(_ count: Int, atOnce: Int, _ work: @Sendable (Int) throws -> Value) throws -> [Value] {
    let results = Mutex((values: [Value](), failure: (any Error)?.none))
    DispatchQueue.concurrentPerform(iterations: atOnce) { first in
        for client in stride(from: first, to: count, by: atOnce) {
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
func openStreams(_ count: Int, of window: Window) throws -> [Connection] {
    try forEachClient(count, atOnce: 4) { try window.stream(try window.open("/orders"), client: $0) }
}

/// Opens pages that never open their stream, and returns the time that each took, in milliseconds, the shortest first.
func abandon(_ count: Int, of window: Window) throws -> [Double] {
    try forEachClient(count, atOnce: 2) { client in
        let start = now()
        _ = try window.open("/deliveries", client: client)
        return now() - start
    }.sorted()
}

/// A line of an answer; the times are sorted.
func sayTimes(_ name: String, _ times: [Double]) {
    say("\(name) \(times[times.count / 2]) \(times[times.count * 99 / 100]) \(times[times.count - 1])")
}

func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) * 1_000 + Double(time.tv_nsec) / 1_000_000
}

func say(_ text: String) {
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
    let window = try Window(url: CommandLine.arguments[1])
    let order = try window.open("/orders/1")
    let orderStream = try window.listen(to: order)
    defer { orderStream.close() }
    var streams = Streams()
    for connection in try openStreams(count, of: window) { streams.add(connection) }
    streams.drain(seconds: 2)
    say("ready")
    while let line = readLine() {
        let words = line.split(separator: " ")
        if words.first == "abandon", words.count == 2, let pages = Int(words[1]), pages > 0 {
            sayTimes("abandon", try abandon(pages, of: window))
            streams.drain(seconds: 2)
            continue
        }
        guard words == ["patch"] else { throw Failure(description: "this is neither patch nor abandon COUNT: \(line)") }
        var times: [Double]?
        // Now and then a stream says that it is alive; then it is asked again.
        for _ in 0..<3 where times == nil {
            times = try streams.measure { try window.post("/windows/\(order)/refresh") }
            streams.drain(seconds: 1)
        }
        guard let times else { throw Failure(description: "the pages got something other than the change, three times") }
        guard times.count == count else { throw Failure(description: "only \(times.count) of \(count) pages got the change") }
        sayTimes("patch", times)
    }
} catch {
    fputs("pages: \(error)\n", stderr)
    exit(1)
}
