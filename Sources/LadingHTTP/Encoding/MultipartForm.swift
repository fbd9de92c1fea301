public import Foundation

/// A form of several parts, `multipart/form-data` (RFC 7578): texts, bytes, files and streams, sent in order and never in memory as a whole.
///
/// ```swift
/// var form = MultipartForm()
/// form.append("title", "Receipt")
/// try form.append("scan", file: scan, type: "image/png")
/// let message = RequestMessage(method: .post, url: url, content: .multipart(form))
/// ```
///
/// The length of the body is known when those of its parts are.
public struct MultipartForm: Sendable {
    private struct Part: Sendable {
        var head: [UInt8]
        var body: RequestBody
    }

    private static let crlf = "\r\n"
    private static let boundaryAlphabet = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
    /// The number of random characters of a boundary: more than 140 bits, so that no part contains it.
    private static let boundaryLength = 24

    /// The delimiter between the parts.
    package let boundary: String
    private var parts: [Part] = []

    /// Creates an empty form with a random boundary.
    ///
    /// - Parameter random: The generator of the random characters of the boundary.
    public init(random: some RandomNumberGenerator = SystemRandomNumberGenerator()) {
        var random = random
        let characters = (0..<Self.boundaryLength).compactMap { _ in Self.boundaryAlphabet.randomElement(using: &random) }
        boundary = "lading-" + String(characters)
    }

    // MARK: Parts

    /// Adds a text.
    public mutating func append(_ name: String, _ text: String) {
        append(name, .bytes(text.utf8))
    }

    /// Adds a body of any kind.
    ///
    /// - Parameters:
    ///   - fileName: The file name to send; nil when the part is no file.
    ///   - type: The media type; nil sends none, which means plain text.
    public mutating func append(_ name: String, _ body: RequestBody, fileName: String? = nil, type: String? = nil) {
        var head = "--\(boundary)\(Self.crlf)Content-Disposition: form-data; name=\"\(Self.escaped(name))\""
        if let fileName { head += "; filename=\"\(Self.escaped(fileName))\"" }
        if let type { head += "\(Self.crlf)Content-Type: \(type.filter { !$0.isNewline })" }
        parts.append(Part(head: Array((head + Self.crlf + Self.crlf).utf8), body: body))
    }

    /// Adds a file, under its own name by default.
    ///
    /// - Throws: `RequestBodyError` when the file does not exist or is no regular file.
    public mutating func append(
        _ name: String, file: URL, fileName: String? = nil, type: String = "application/octet-stream"
    ) throws {
        append(name, try .file(file), fileName: fileName ?? file.lastPathComponent, type: type)
    }

    /// Returns a name as browsers write it (WHATWG HTML, multipart/form-data encoding algorithm): in UTF-8, with quotes and line ends escaped.
    private static func escaped(_ name: String) -> String {
        name.unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar {
            case "\"": text += "%22"
            case "\r": text += "%0D"
            case "\n": text += "%0A"
            default: text.unicodeScalars.append(scalar)
            }
        }
    }

    // MARK: Content

    /// The encoded form.
    var content: RequestContent {
        let pieces = bodies
        let length = pieces.reduce(0 as Int?) { sum, piece in sum.flatMap { sum in piece.length.map { sum + $0 } } }
        return RequestContent(
            .stream(length: length) { ConcatenatedBodies(pieces[...]) }, type: "multipart/form-data; boundary=\(boundary)")
    }

    private var bodies: [RequestBody] {
        let end = RequestBody.bytes("--\(boundary)--\(Self.crlf)".utf8)
        return parts.flatMap { [.bytes($0.head), $0.body, .bytes(Self.crlf.utf8)] } + [end]
    }

    /// The concatenation of several bodies.
    private struct ConcatenatedBodies: AsyncSequence, AsyncIteratorProtocol {
        var remaining: ArraySlice<RequestBody>
        private var current: RequestBody.Iterator?

        init(_ rest: ArraySlice<RequestBody>) {
            self.remaining = rest
        }

        func makeAsyncIterator() -> ConcatenatedBodies { self }

        mutating func next() async throws -> [UInt8]? {
            while true {
                if let chunk = try await current?.next() { return chunk }
                guard let chunk = remaining.popFirst() else { return nil }
                current = chunk.makeAsyncIterator()
            }
        }
    }
}
