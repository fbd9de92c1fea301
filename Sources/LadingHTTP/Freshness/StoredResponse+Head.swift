import Foundation
import HTTPFieldValues
import HTTPTypes

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
    /// The name of the cache.
    var name: String
    var isHit = false
    var forward: OriginRequest.Reason?
    var forwardStatus: Int?
    var ttl: Int?
    var isStored = false
    var isCollapsed = false
    var detail: String?

    func add(to headers: inout HTTPFields) {
        var text = identifier
        if isHit { text += "; hit" }
        if let forward { text += "; fwd=\(forward.rawValue)" }
        if let forwardStatus { text += "; fwd-status=\(forwardStatus)" }
        if let ttl { text += "; ttl=\(ttl)" }
        if isStored { text += "; stored" }
        if isCollapsed { text += "; collapsed" }
        if let detail { text += "; detail=\(detail)" }
        headers.append(HTTPField(name: .cacheStatus, value: text))
    }

    /// The name as a token, otherwise as a string (RFC 9211 §2), with `?` for characters that a string cannot contain.
    private var identifier: String {
        if let first = name.utf8.first, Self.isLetter(first) || first == UInt8(ascii: "*"), name.utf8.allSatisfy(Self.isTokenByte) {
            return name
        }
        let text = name.unicodeScalars.map { scalar -> String in
            switch scalar {
            case "\"", "\\": "\\\(scalar)"
            case " "..."~": "\(scalar)"
            default: "?"
            }
        }
        return "\"\(text.joined())\""
    }

    /// The bytes of a token besides letters and digits (RFC 9651 §3.3.4).
    private static let tokenPunctuation = Set("!#$%&'*+-.^_`|~:/".utf8)

    private static func isTokenByte(_ byte: UInt8) -> Bool {
        isLetter(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || tokenPunctuation.contains(byte)
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) }
}

extension HTTPField.Name {
    static let cacheStatus = Self("Cache-Status")!
}
