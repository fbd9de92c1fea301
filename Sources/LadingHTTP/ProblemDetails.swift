/// A description of an error by a server, with the media type `application/problem+json` (RFC 9457).
///
/// Its texts are the server's, and may be in another language than the program's. Members of a wrong type are ignored (§3.1).
public struct ProblemDetails: Hashable, Sendable {
    /// The type of the problem: a URI, which may be relative to the URL of the response.
    public var type: String
    /// A short summary of the type for people.
    public var title: String?
    /// The status that the server states; that of the response counts.
    public var status: Int?
    /// An explanation of this occurrence for people.
    public var detail: String?
    /// This occurrence of the problem: a URI, which may be relative to the URL of the response.
    public var instance: String?
    /// The other members of the document, by name.
    public var extensions: [String: JSONValue]

    public init(
        type: String = "about:blank", title: String? = nil, status: Int? = nil, detail: String? = nil, instance: String? = nil,
        extensions: [String: JSONValue] = [:]
    ) {
        self.type = type
        self.title = title
        self.status = status
        self.detail = detail
        self.instance = instance
        self.extensions = extensions
    }

    /// Parses a document; nil if it is no JSON object.
    init?(json: [UInt8]) {
        guard case .object(var members)? = try? JSONValue(json: json) else { return nil }
        let type = members.removeValue(forKey: "type")?.string
        let title = members.removeValue(forKey: "title")?.string
        let status = members.removeValue(forKey: "status")
        let detail = members.removeValue(forKey: "detail")?.string
        let instance = members.removeValue(forKey: "instance")?.string
        self.init(type: type ?? "about:blank", title: title, detail: detail, instance: instance, extensions: members)
        if case .integer(let code)? = status { self.status = code }
    }
}
