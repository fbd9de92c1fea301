import Foundation
import HTTPFieldValues
import HTTPTypes

/// The preconditions of a request for a file (RFC 9110 §13.1).
struct Preconditions: Codable, Hashable, Sendable {
    private let match: String?
    private let noneMatch: String?
    private let unmodifiedSince: String?

    init(_ headers: HTTPFields) {
        (match, noneMatch, unmodifiedSince) = (headers[.ifMatch], headers[.ifNoneMatch], headers[.ifUnmodifiedSince])
    }

    /// Whether `If-Match` and `If-Unmodified-Since` allow sending the file. `If-None-Match` is not evaluated.
    func allowsSending(_ file: any UploadedFile, now: Date = Date()) -> Bool {
        if let match { return file.tag.matches(anyIn: EntityTag.list(match), strongly: true) }
        guard let date = unmodifiedSince.flatMap({ HTTPDate($0, near: now) }) else { return true }
        return file.lastModified <= date
    }

    /// Whether a new file may replace this one; nil means that no file exists.
    func allowsReplacing(_ file: (any UploadedFile)?) -> Bool {
        guard let file else { return match == nil }
        if let noneMatch, file.tag.matches(anyIn: EntityTag.list(noneMatch)) { return false }
        return allowsSending(file)
    }
}
