import HTTPTypes

/// What a request says of an upload (draft-ietf-httpbis-resumable-upload-10, §4).
struct UploadFields: Hashable {
    static let mediaType = "application/partial-upload"

    /// Whether the request brings the end of the file; nil when it is no resumable upload.
    var isComplete: Bool?
    var offset: Int?
    /// How long the file will be, as far as the request tells: in `Upload-Length`, or by being its end.
    var length: Int?
    /// Whether two of its fields tell two lengths.
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

    /// A Boolean of a structured field (RFC 8941 §3.3.6); what is none counts as absent.
    private static func flag(_ text: String?) -> Bool? {
        switch text.map(item) {
        case "?1": true
        case "?0": false
        default: nil
        }
    }

    /// An integer of a structured field that is not negative (RFC 8941 §3.3.1).
    private static func number(_ text: String?) -> Int? {
        guard let digits = text.map(item), !digits.isEmpty, digits.utf8.count <= 15, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        return Int(digits)
    }

    /// Without spaces and parameters.
    private static func item(_ text: String) -> Substring { text.drop { $0 == " " }.prefix { $0 != ";" && $0 != " " } }
}

extension HTTPField.Name {
    static let uploadComplete = Self("Upload-Complete")!
    static let uploadOffset = Self("Upload-Offset")!
    static let uploadLength = Self("Upload-Length")!
    static let uploadLimit = Self("Upload-Limit")!
    static let acceptPatch = Self("Accept-Patch")!
}
