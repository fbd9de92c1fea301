import ContentCoding
import HTTPTypes
import Hummingbird
import LadingHTTP
import NIOCore

/// The content coding of an event stream: plain text, or gzip blocks shared by all streams.
enum EventStreamCoding: Sendable {
    case plain
    case gzip(GzipBlockCache)

    /// - Parameter blocks: The cache of compressed blocks.
    init(for request: Request, sharing blocks: GzipBlockCache) {
        self = AcceptEncoding(request.headers[.acceptEncoding]).preferredCoding() == .gzip ? .gzip(blocks) : .plain
    }

    /// The header fields of the response.
    var headers: HTTPFields {
        var headers: HTTPFields = [
            .contentType: "text/event-stream", .cacheControl: "no-store", .xAccelBuffering: "no", .vary: "Accept-Encoding",
        ]
        if case .gzip = self { headers[.contentEncoding] = ContentCoding.gzip.rawValue }
        return headers
    }

    /// The beginning of the stream.
    var preamble: ByteBuffer {
        var buffer = ByteBuffer()
        if case .gzip = self { buffer.writeImmutableBuffer(GzipBlockCache.header) }
        buffer.writeImmutableBuffer(encode(EventStreamText.reconnectionTime(milliseconds: 1_000)))
        return buffer
    }

    /// Returns the encoded form of a text that other streams send as well.
    func encodeShared(_ text: ByteBuffer) -> ByteBuffer {
        switch self {
        case .plain: text
        case .gzip(let blocks): blocks.block(for: text)
        }
    }

    /// The event of a stream that had no other for a while.
    var heartbeat: ByteBuffer { encode(EventStreamText.event("beat", data: "{}")) }

    /// Returns the encoded form of a short text for this stream only.
    func encode(_ text: String) -> ByteBuffer {
        let text = ByteBuffer(string: text)
        return switch self {
        case .plain: text
        case .gzip: GzipBlockCache.stored(text)
        }
    }
}

extension HTTPField.Name {
    /// The header that disables buffering in nginx.
    fileprivate static let xAccelBuffering = Self("X-Accel-Buffering")!
}
