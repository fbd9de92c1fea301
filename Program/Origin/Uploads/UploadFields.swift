import HTTPFieldValues
import HTTPTypes

/// The header fields of an upload request (draft-ietf-httpbis-resumable-upload-10, §4).
struct UploadFields: Hashable {
    static let mediaType = "application/partial-upload"

    /// Whether the request contains the end of the file; nil when it is not a resumable upload.
    var isComplete: Bool?
    var offset: Int?
    /// The length of the file, from `Upload-Length`, or from the end of this request if it is the last.
    var length: Int?
    /// Whether two fields imply different lengths.
    var isInconsistent = false

    init(_ headers: HTTPFields) {
        isComplete = headers[.uploadComplete].flatMap(StructuredItem.flag)
        offset = headers[.uploadOffset].flatMap(StructuredItem.number)
        length = headers[.uploadLength].flatMap(StructuredItem.number)
        guard isComplete == true, let rest = headers[.contentLength].flatMap({ ContentRange.number($0) }) else { return }
        let end = (offset ?? 0) + rest
        isInconsistent = length.map { $0 != end } ?? false
        length = length ?? end
    }
}

extension HTTPField.Name {
    static let uploadComplete = Self("Upload-Complete")!
    static let uploadOffset = Self("Upload-Offset")!
    static let uploadLength = Self("Upload-Length")!
    static let uploadLimit = Self("Upload-Limit")!
    static let acceptPatch = Self("Accept-Patch")!
}
