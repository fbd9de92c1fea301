import HTTPTypes

extension ResponseHead {
    /// The content coding of the body; nil when it is not encoded.
    package var contentCoding: String? {
        headers[.contentEncoding].flatMap { $0.isEmpty || $0.lowercased() == "identity" ? nil : $0 }
    }
}
