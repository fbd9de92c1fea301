import HTTPTypes
import Hummingbird
import LadingHTTP
import NIOCore

extension Request {
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

    /// The body as it arrives, so that a server to which it is forwarded also has the part before an interruption.
    var streamedBody: LadingHTTP.RequestBody {
        let length = headers[.contentLength].flatMap { Int($0) }
        guard length != nil || headers[.transferEncoding] != nil else { return [] }
        let chunks = body
        return .stream(length: length) { chunks.map { Array($0.readableBytesView) } }
    }

    /// Whether a request that a cookie signs comes from an own page: every browser proves that for a change, and other origins are refused.
    var isFromOwnPage: Bool { headers[.origin] != nil || headers[.secFetchSite] != nil }
}

extension HTTPField.Name {
    static let secFetchSite = Self("Sec-Fetch-Site")!
}
