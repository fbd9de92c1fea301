import HTTPTypes

/// What a request demands of the file that it is about before anything is done (RFC 9110 §13.1).
struct Preconditions: Codable, Hashable, Sendable {
    private let match: String?
    private let noneMatch: String?
    private let unmodifiedSince: String?

    init(_ headers: HTTPFields) {
        (match, noneMatch, unmodifiedSince) = (headers[.ifMatch], headers[.ifNoneMatch], headers[.ifUnmodifiedSince])
    }

    /// Whether the file may be sent; whether the client has it already is another question.
    func allowsSending(_ file: StoredFile) -> Bool {
        if let match { return EntityTag(text: file.tag).matches(anyIn: match, strongly: true) }
        guard let date = unmodifiedSince.flatMap(HTTPDate.init) else { return true }
        return file.lastModified <= date
    }

    /// Whether another file may take the place of this one; nil where there is none.
    func allowsReplacing(_ file: StoredFile?) -> Bool {
        guard let file else { return match == nil }
        if let noneMatch, EntityTag(text: file.tag).matches(anyIn: noneMatch) { return false }
        return allowsSending(file)
    }
}
