import Foundation
import HTTPFieldValues
import HTTPTypes

/// The header fields of "Resumable Uploads for HTTP" (draft-ietf-httpbis-resumable-upload-10), in interop version 8.
enum ResumableUpload {
    static let interopVersion = "8"
    /// The media type of an appended part (§6).
    static let mediaType = "application/partial-upload"

    /// Parses a Boolean of a structured field; nil for anything else (RFC 8941 §3.3.6).
    static func flag(_ text: String?) -> Bool? {
        switch text.map(item) {
        case "?1": true
        case "?0": false
        default: nil
        }
    }

    /// Parses a non-negative integer of a structured field; nil for anything else (RFC 8941 §3.3.1).
    static func number(_ text: String?) -> Int? {
        text.map(item).flatMap { $0.count <= 15 ? ContentRange.number($0) : nil }
    }

    static func text(_ flag: Bool) -> String { flag ? "?1" : "?0" }

    /// Returns a bare item without surrounding spaces and parameters.
    private static func item(_ text: String) -> Substring {
        let start = text.drop { $0 == " " }
        let end = start.firstIndex { $0 == ";" || $0 == " " } ?? start.endIndex
        return start[..<end]
    }

    /// The limits of a server (§4.1.4).
    struct Limits: Hashable, Sendable {
        var maxSize: Int?
        var maxAppendSize: Int?
        var minAppendSize: Int?

        init(_ field: String?) {
            for member in (field ?? "").split(separator: ",") {
                let sides = member.split(separator: "=", maxSplits: 1)
                guard sides.count == 2, let value = number(String(sides[1])) else { continue }
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
