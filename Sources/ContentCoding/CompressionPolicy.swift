package import HTTPTypes

/// Decides whether the content of a response is compressed.
///
/// BREACH (https://breachattack.com) reads a secret from the lengths of compressed responses that hold it beside text of the attacker, whose pages
/// make a browser send many such requests. Content is therefore sent as it is when another site caused the request and its query may be reflected.
package struct CompressionPolicy: Sendable {
    /// The least number of bytes that are compressed: shorter content saves little more than the fields that label the result take.
    package static let minimumLength = 512

    /// The treatment of a response.
    package enum Action: Hashable, Sendable {
        /// The response is the same for every `Accept-Encoding`.
        case passThrough
        /// The response could be compressed, and is not for this client.
        case addVary
        case compress
    }

    package init() {}

    /// - Parameter length: The length of the content in bytes; nil while it is not known.
    package func action(for head: HTTPResponse, length: Int?, request: HTTPRequest) -> Action {
        guard Self.canBeCompressed(head) else { return .passThrough }
        let accepted = AcceptEncoding(request.headerFields[.acceptEncoding])
        // Accepted codings decide at most by this, so that a small content is no reason to vary.
        if let length, length < Self.minimumLength, !accepted.excludesIdentity { return .passThrough }
        guard request.method != .head, length != 0, request.headerFields[.range] == nil else { return .addVary }
        guard accepted.preferredCoding() == .gzip, accepted.excludesIdentity || !Self.mayReflectCrossSiteQuery(request) else { return .addVary }
        return .compress
    }

    /// Whether the page of another site caused the request and could have chosen its query. Browsers say so wherever TLS hides the content.
    static func mayReflectCrossSiteQuery(_ request: HTTPRequest) -> Bool {
        guard let site = request.headerFields[.secFetchSite], site != "same-origin", site != "none" else { return false }
        return request.path?.contains("?") ?? false
    }

    /// Whether it is a whole content of a kind that becomes shorter.
    private static func canBeCompressed(_ head: HTTPResponse) -> Bool {
        let fields = head.headerFields
        guard head.status.kind != .informational, ![204, 205, 206, 304].contains(head.status.code) else { return false }
        guard fields[.contentEncoding] == nil, fields[.contentRange] == nil else { return false }
        guard fields[.cacheControl]?.lowercased().contains("no-transform") != true else { return false }
        return fields[.contentType].map(isText) ?? false
    }

    /// Pictures other than SVG, archives and what has no known type are as short as they get; an event stream must not wait for a block to be full.
    private static func isText(_ contentType: String) -> Bool {
        let type = contentType.lowercased().prefix { $0 != ";" && $0 != " " }
        if type == "text/event-stream" { return false }
        return type.hasPrefix("text/") || type.hasSuffix("+json") || type.hasSuffix("+xml") || textTypes.contains(type)
    }

    private static let textTypes: Set<Substring> = ["application/json", "application/xml", "application/x-plist", "application/javascript"]
}

extension HTTPField.Name {
    fileprivate static let secFetchSite = Self("Sec-Fetch-Site")!
}
