import HTTPTypes

extension ReplyHead {
    /// The content coding of the body; nil when it is sent as it is.
    var contentCoding: String? {
        headers[.contentEncoding].flatMap { $0.isEmpty || $0.lowercased() == "identity" ? nil : $0 }
    }

    /// Whether the same request may be answered otherwise after a while.
    var isWorthAnotherTry: Bool {
        switch status.code {
        case 408, 425, 429, 500, 502, 503, 504: true
        default: false
        }
    }
}

extension HTTPField.Name {
    static let reprDigest = Self("Repr-Digest")!
    static let contentDigest = Self("Content-Digest")!
}
