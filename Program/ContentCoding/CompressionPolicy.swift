import HTTPFieldValues
package import HTTPTypes

/// The policy that decides whether a response is compressed.
///
/// BREACH (https://breachattack.com) infers a secret from the lengths of compressed responses that contain it next to text of an attacker, whose page
/// makes the browser send many requests. A response to a cross-site request whose query it may reflect is therefore not compressed.
package struct CompressionPolicy: Sendable {
    /// The minimum length of compressed content in bytes: shorter content saves little more than the added fields cost.
    package static let minimumLength = 512

    /// The treatment of a response.
    package enum Action: Hashable, Sendable {
        /// The response is the same for every `Accept-Encoding`.
        case passThrough
        /// The response could be compressed, but not for this request.
        case addVary
        case compress
    }

    package init() {}

    /// Returns the action for a response: to compress it, to add `Vary`, or to pass it through.
    ///
    /// - Parameters:
    ///   - head: The head of the response; that of a 304 has the content type of its 200.
    ///   - length: The length of the content in bytes; nil while unknown.
    package func action(for head: HTTPResponse, length: Int?, request: HTTPRequest) -> Action {
        guard Self.canBeCompressed(head) else { return .passThrough }
        // A 304 has the Vary of its 200 (RFC 9110 §15.4.5), whose length is unknown here.
        guard head.status != .notModified else { return .addVary }
        let accepted = AcceptEncoding(request.headerFields[.acceptEncoding])
        // Short content does not depend on the accepted codings otherwise, and needs no Vary.
        if let length, length < Self.minimumLength, !accepted.excludesIdentity { return .passThrough }
        guard request.method != .head, length != 0, request.headerFields[.range] == nil else { return .addVary }
        guard accepted.preferredCoding() == .gzip, accepted.excludesIdentity || !Self.mayReflectCrossSiteQuery(request) else {
            return .addVary
        }
        return .compress
    }

    /// Whether a page of another site sent the request and may have chosen its query. Browsers send `Sec-Fetch-Site` to all TLS servers.
    static func mayReflectCrossSiteQuery(_ request: HTTPRequest) -> Bool {
        guard let site = request.headerFields[.secFetchSite], site != "same-origin", site != "none" else { return false }
        return request.path?.contains("?") ?? false
    }

    /// Whether the response, or the 200 that a 304 replaces, has complete content of a compressible type.
    private static func canBeCompressed(_ head: HTTPResponse) -> Bool {
        let fields = head.headerFields
        guard head.status.kind != .informational, ![204, 205, 206].contains(head.status.code) else { return false }
        guard fields[.contentEncoding] == nil, fields[.contentRange] == nil else { return false }
        guard fields[.cacheControl]?.lowercased().contains("no-transform") != true else { return false }
        return fields.mediaType.map(isText) ?? false
    }

    /// Whether a media type is compressible text. Event streams are excluded, because compression would delay their events.
    private static func isText(_ type: String) -> Bool {
        if type == "text/event-stream" { return false }
        return type.hasPrefix("text/") || type.hasSuffix("+json") || type.hasSuffix("+xml") || textTypes.contains(type)
    }

    private static let textTypes: Set<String> = ["application/json", "application/xml", "application/x-plist", "application/javascript"]
}

extension HTTPField.Name {
    fileprivate static let secFetchSite = Self("Sec-Fetch-Site")!
}
