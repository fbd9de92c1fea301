/// A request received by a `ScriptedServer`.
package struct ReceivedRequest: Sendable {
    package var method: String
    /// The path and query as received.
    package var target: String
    package var fields: [(name: String, value: String)]
    package var body: [UInt8] = []

    package init(method: String, target: String, fields: [(name: String, value: String)], body: [UInt8] = []) {
        self.method = method
        self.target = target
        self.fields = fields
        self.body = body
    }

    /// The first value of a header field.
    package subscript(field: String) -> String? {
        fields.first { $0.name.lowercased() == field.lowercased() }?.value
    }
}

/// A reader of consecutive requests from a connection.
struct RequestReader {
    /// The maximum length of a head and of a body, in bytes; beyond it the connection counts as ended.
    private static let headLimit = 256 << 10
    private static let bodyLimit = 64 << 20

    private let receive: () -> [UInt8]?
    private var buffer: [UInt8] = []

    /// - Parameter receive: Returns the next bytes of the connection; nil at its end.
    init(receive: @escaping () -> [UInt8]?) {
        self.receive = receive
    }

    /// Reads the next head; nil when the connection ends before it is complete.
    mutating func nextHead() -> ReceivedRequest? {
        readHead().flatMap { ReceivedRequest(head: $0) }
    }

    /// Reads the body of a request; nil when the connection ends before it is complete.
    mutating func complete(_ request: ReceivedRequest) -> ReceivedRequest? {
        var request = request
        if request["Transfer-Encoding"]?.lowercased() == "chunked" {
            guard let body = readChunks() else { return nil }
            request.body = body
        } else if let length = request["Content-Length"].flatMap({ Int($0) }) {
            guard (0...Self.bodyLimit).contains(length), let body = read(length) else { return nil }
            request.body = body
        }
        return request
    }

    private mutating func readHead() -> String? {
        var lines: [String] = []
        var size = 0
        while let line = readLine(), size < Self.headLimit {
            if line.isEmpty, !lines.isEmpty { return lines.joined(separator: "\n") }
            lines.append(line)
            size += line.utf8.count
        }
        return nil
    }

    private mutating func readChunks() -> [UInt8]? {
        var body: [UInt8] = []
        while let size = readLine().flatMap({ Int($0.prefix { $0 != ";" }, radix: 16) }) {
            guard (0...Self.bodyLimit - body.count).contains(size), let chunk = read(size), readLine() != nil else { return nil }
            if size == 0 { return body }
            body += chunk
        }
        return nil
    }

    /// Reads the next line, without its line break.
    private mutating func readLine() -> String? {
        while true {
            if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
                let line = buffer[..<end]
                buffer.removeFirst(end + 1)
                return String(decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self)
            }
            guard buffer.count < Self.headLimit, fill() else { return nil }
        }
    }

    private mutating func read(_ count: Int) -> [UInt8]? {
        while buffer.count < count {
            guard fill() else { return nil }
        }
        defer { buffer.removeFirst(count) }
        return Array(buffer.prefix(count))
    }

    private mutating func fill() -> Bool {
        guard let bytes = receive() else { return false }
        buffer += bytes
        return true
    }
}

extension ReceivedRequest {
    /// Parses the lines of a head; nil when the first is not a request line.
    fileprivate init?(head: String) {
        let lines = head.split(separator: "\n")
        let words = lines.first?.split(separator: " ") ?? []
        guard words.count == 3 else { return nil }
        let fields = lines.dropFirst().compactMap { line -> (name: String, value: String)? in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            return (String(line[..<colon]), String(line[line.index(after: colon)...].drop { $0 == " " }))
        }
        self.init(method: String(words[0]), target: String(words[1]), fields: fields)
    }
}
