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
        isComplete = Self.flag(headers[.uploadComplete])
        offset = Self.number(headers[.uploadOffset])
        length = Self.number(headers[.uploadLength])
        guard isComplete == true, let rest = headers[.contentLength].flatMap(Self.number) else { return }
        let end = (offset ?? 0) + rest
        isInconsistent = length.map { $0 != end } ?? false
        length = length ?? end
    }

    /// Parses a Boolean of a structured field (RFC 8941 §3.3.6); nil when malformed.
    private static func flag(_ text: String?) -> Bool? {
        switch text.map(item) {
        case "?1": true
        case "?0": false
        default: nil
        }
    }

    /// Parses a non-negative integer of a structured field (RFC 8941 §3.3.1).
    private static func number(_ text: String?) -> Int? {
        guard let digits = text.map(item), !digits.isEmpty, digits.utf8.count <= 15, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        return Int(digits)
    }

    /// Returns the field without leading spaces and parameters.
    private static func item(_ text: String) -> Substring { text.drop { $0 == " " }.prefix { $0 != ";" && $0 != " " } }
}

extension HTTPField.Name {
    static let uploadComplete = Self("Upload-Complete")!
    static let uploadOffset = Self("Upload-Offset")!
    static let uploadLength = Self("Upload-Length")!
    static let uploadLimit = Self("Upload-Limit")!
    static let acceptPatch = Self("Accept-Patch")!
}
