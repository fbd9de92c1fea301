import ContentCoding
import HTTPTypes
import Hummingbird
import NIOCore

/// How the events of one stream are written: as text, or as pieces of gzip that all streams share.
enum EventStreamCoding: Sendable {
    case plain
    case gzip(GzipBlockCache)

    /// - Parameter blocks: Where pieces are kept that several streams send.
    init(for request: Request, sharing blocks: GzipBlockCache) {
        self = AcceptEncoding(request.headers[.acceptEncoding]).preferredCoding() == .gzip ? .gzip(blocks) : .plain
    }

    /// The fields of a response that is a stream of events.
    var headers: HTTPFields {
        var headers: HTTPFields = [
            .contentType: "text/event-stream", .cacheControl: "no-store", .xAccelBuffering: "no", .vary: "Accept-Encoding",
        ]
        if case .gzip = self { headers[.contentEncoding] = ContentCoding.gzip.rawValue }
        return headers
    }

    /// What a stream begins with.
    var preamble: ByteBuffer {
        var buffer = ByteBuffer()
        if case .gzip = self { buffer.writeImmutableBuffer(GzipBlockCache.header) }
        buffer.writeImmutableBuffer(encode("retry: 1000\n\n"))
        return buffer
    }

    /// Text that other streams send as well.
    func encodeShared(_ text: ByteBuffer) -> ByteBuffer {
        switch self {
        case .plain: text
        case .gzip(let blocks): blocks.block(for: text)
        }
    }

    /// A short text of this stream alone.
    func encode(_ text: String) -> ByteBuffer {
        let text = ByteBuffer(string: text)
        return switch self {
        case .plain: text
        case .gzip: GzipBlockCache.stored(text)
        }
    }
}

extension HTTPField.Name {
    /// Tells nginx not to hold back what is written.
    fileprivate static let xAccelBuffering = Self("X-Accel-Buffering")!
}
