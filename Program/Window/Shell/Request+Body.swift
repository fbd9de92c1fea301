import HTTPTypes
import Hummingbird
import LadingHTTP
import NIOCore

extension Request {
    /// The maximum length of a body that is read before it is forwarded, in bytes: more than a command or a batch of positions has.
    private static let bufferedBodyLimit = 16 << 10

    /// Returns the decoded JSON body; throws `PageError.malformedRequest` or `.contentTooLarge`.
    @concurrent
    func decodeBody<Report: Decodable & SendableMetatype>(_ type: Report.Type, _ context: WindowContext) async throws -> Report {
        do {
            return try await decode(as: type, context: context)
        } catch let error as any HTTPResponseError where error.status == .contentTooLarge {
            throw PageError.contentTooLarge
        } catch {
            throw PageError.malformedRequest
        }
    }

    /// Returns the body, of at most some bytes.
    ///
    /// - Throws: `PageError.contentTooLarge`, or `.malformedRequest` if the sender has gone in the middle of the body.
    func readBody(upTo limit: Int) async throws(PageError) -> ByteBuffer {
        do {
            return try await body.collect(upTo: limit)
        } catch is NIOTooManyBytesError {
            throw .contentTooLarge
        } catch {
            throw .malformedRequest
        }
    }

    /// Returns the body for another server: a short one in memory, so that a slow sender occupies no connection to the server.
    ///
    /// A longer one is passed on as it arrives, so that the server also has the part before an interruption.
    func forwardedBody() async throws(PageError) -> LadingHTTP.RequestBody {
        let length = headers[.contentLength].flatMap { Int($0) }
        guard length != nil || headers[.transferEncoding] != nil else { return [] }
        if let length, length <= Self.bufferedBodyLimit {
            return .bytes(try await readBody(upTo: length).readableBytesView)
        }
        let chunks = body
        return .stream(length: length) { chunks.map { Array($0.readableBytesView) } }
    }

    /// Whether a request that a cookie signs comes from an own page: every browser proves that for a change, and other origins are refused.
    var isFromOwnPage: Bool { headers[.origin] != nil || headers[.secFetchSite] != nil }
}

extension HTTPField.Name {
    static let secFetchSite = Self("Sec-Fetch-Site")!
}
