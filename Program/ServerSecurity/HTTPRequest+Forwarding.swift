package import HTTPTypes

extension HTTPRequest {
    /// Whether a proxy has forwarded the request, by the fields that proxies add (RFC 7239, RFC 9110 §7.6.3).
    ///
    /// A server that only this machine can reach has foreign clients if a proxy of this machine forwards them.
    package var isForwarded: Bool {
        [HTTPField.Name.forwarded, .xForwardedFor, .xRealIP, .via].contains { headerFields.contains($0) }
    }
}

extension HTTPField.Name {
    fileprivate static let xRealIP = Self("X-Real-IP")!
}
