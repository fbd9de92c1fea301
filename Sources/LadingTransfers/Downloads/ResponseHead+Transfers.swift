import HTTPTypes

extension ResponseHead {
    /// The content coding of the body; nil when it is not encoded.
    var contentCoding: String? {
        headers[.contentEncoding].flatMap { $0.isEmpty || $0.lowercased() == "identity" ? nil : $0 }
    }

    /// The digests of the whole file, in the format of `Repr-Digest`; nil when the server sends none.
    ///
    /// The older `Digest` (RFC 3230) has the same meaning, without colons around its values.
    var representationDigest: String? {
        if let digest = headers[.reprDigest] { return digest }
        let members = headers[.digest]?.split(separator: ",").compactMap { member -> String? in
            let sides = member.split(separator: "=", maxSplits: 1)
            guard sides.count == 2 else { return nil }
            return "\(sides[0].trimmingPrefix(while: \.isWhitespace).lowercased())=:\(sides[1].filter { !$0.isWhitespace }):"
        }
        return members.flatMap { $0.isEmpty ? nil : $0.joined(separator: ", ") }
    }

    /// Whether a repetition of the request may succeed after a while.
    var isTransientFailure: Bool {
        switch status.code {
        case 408, 425, 429, 500, 502, 503, 504: true
        default: false
        }
    }
}

extension HTTPField.Name {
    static let digest = Self("Digest")!
    static let reprDigest = Self("Repr-Digest")!
    static let contentDigest = Self("Content-Digest")!
}
