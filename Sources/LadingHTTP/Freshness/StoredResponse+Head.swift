import Foundation
import HTTPFieldValues
import HTTPTypes
import RawStructuredFieldValues

// The heads of responses that are served from the cache (RFC 9111 §4).
extension StoredResponse {
    /// Returns the head of a response that is served from the cache.
    ///
    /// - Parameter cacheStatus: The status to report in `Cache-Status`.
    func head(for content: ServedContent, at now: Date, in role: CacheRole, _ cacheStatus: CacheStatus) -> ResponseHead {
        let freshness = Freshness(of: self, in: role, at: now)
        var head = ResponseHead(status: HTTPResponse.Status(code: status), headers: headers)
        head.headers[.age] = "\(Int(freshness.age))"
        switch content {
        case .full: break
        case .partial(let bytes):
            head.status = .partialContent
            head.headers[.contentRange] = "bytes \(bytes.lowerBound)-\(bytes.upperBound - 1)/\(totalLength.map(String.init) ?? "*")"
            head.headers[.contentLength] = "\(bytes.count)"
            // A part of a decoded body must not be combined with one of the coded body that the tag identifies.
            if isDecoded, let entityTag, !entityTag.isWeak { head.headers[.eTag] = "W/\(entityTag.text)" }
        case .notModified:
            head.status = .notModified
            for name in [HTTPField.Name.contentLength, .contentEncoding, .contentRange, .contentType] { head.headers[name] = nil }
        case .rangeNotSatisfiable:
            head.status = .rangeNotSatisfiable
            head.headers[.contentRange] = "bytes */\(totalLength ?? 0)"
            head.headers[.contentLength] = "0"
            for name in [HTTPField.Name.contentEncoding, .contentType] { head.headers[name] = nil }
        }
        var status = cacheStatus
        status.ttl = Int(freshness.remaining)
        status.add(to: &head.headers)
        return head
    }

    /// Returns the bytes of the stored body that are served.
    func bytes(of content: ServedContent) -> Range<Int> {
        switch content {
        case .full: 0..<length
        case .partial(let requested): requested.lowerBound - range.lowerBound..<requested.upperBound - range.lowerBound
        case .notModified, .rangeNotSatisfiable: 0..<0
        }
    }
}

/// The handling of a request by a cache, as reported in `Cache-Status` (RFC 9211).
struct CacheStatus: Hashable {
    /// The name of the cache, as `identifier(of:)` returns it.
    var name: String
    var isHit = false
    var forward: OriginRequest.Reason?
    var forwardStatus: Int?
    var ttl: Int?
    var isStored = false
    var isCollapsed = false
    var detail: String?

    func add(to headers: inout HTTPFields) {
        var text = name
        if isHit { text += "; hit" }
        if let forward { text += "; fwd=\(forward.rawValue)" }
        if let forwardStatus { text += "; fwd-status=\(forwardStatus)" }
        if let ttl { text += "; ttl=\(ttl)" }
        if isStored { text += "; stored" }
        if isCollapsed { text += "; collapsed" }
        if let detail { text += "; detail=\(detail)" }
        headers.append(HTTPField(name: .cacheStatus, value: text))
    }

    /// Returns the name of a cache as a token, otherwise as a string (RFC 9211 §2), with `?` for characters that a string cannot contain.
    static func identifier(of name: String) -> String {
        if let token = serialized(.token(name)) { return token }
        return serialized(.string(String(name.unicodeScalars.map { (" "..."~").contains($0) ? Character($0) : "?" }))) ?? ""
    }

    private static func serialized(_ item: RFC9651BareItem) -> String? {
        var serializer = StructuredFieldValueSerializer()
        let bytes = try? serializer.writeItemFieldValue(Item(bareItem: item, parameters: [:]))
        return bytes.map { String(decoding: $0, as: UTF8.self) }
    }
}

extension HTTPField.Name {
    static let cacheStatus = Self("Cache-Status")!
}
