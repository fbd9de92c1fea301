import Foundation
import HTTPFieldValues
import HTTPTypes

/// The header fields of "Resumable Uploads for HTTP" (draft-ietf-httpbis-resumable-upload-10), in interop version 8.
enum ResumableUpload {
    static let interopVersion = "8"
    /// The media type of an appended part (§6).
    static let mediaType = "application/partial-upload"

    static func text(_ flag: Bool) -> String { flag ? "?1" : "?0" }

    /// The limits of a server (§4.1.4).
    struct Limits: Hashable, Sendable {
        var maxSize: Int?
        var maxAppendSize: Int?
        var minAppendSize: Int?

        init(_ field: String?) {
            for member in (field ?? "").split(separator: ",") {
                let sides = member.split(separator: "=", maxSplits: 1)
                guard sides.count == 2, let value = StructuredItem.number(String(sides[1])) else { continue }
                switch sides[0].drop(while: { $0 == " " || $0 == "\t" }) {
                case "max-size": maxSize = value
                case "max-append-size": maxAppendSize = value
                case "min-append-size": minAppendSize = value
                default: break
                }
            }
        }
    }
}

extension HTTPField.Name {
    static let uploadComplete = Self("Upload-Complete")!
    static let uploadOffset = Self("Upload-Offset")!
    static let uploadLength = Self("Upload-Length")!
    static let uploadLimit = Self("Upload-Limit")!
    static let uploadDraftInteropVersion = Self("Upload-Draft-Interop-Version")!
    static let acceptPatch = Self("Accept-Patch")!
}
