import HTTPTypes

extension HTTPRequest {
    /// Whether the request uses a safe method (RFC 9110 §9.2.1), or was not sent by a page of another server.
    ///
    /// Browsers send `Sec-Fetch-Site`, older ones `Origin`. No browser sends a changing request without either. The check is valid only together
    /// with `AllowedHosts`: a page can map its own host name to any address, including this server's.
    var isSafeOrSameOrigin: Bool {
        if [.get, .head, .options].contains(method) { return true }
        if let site = headerFields[.secFetchSite] { return site == "same-origin" }
        guard let origin = headerFields[.origin] else { return true }
        guard let page = Authority(origin: origin), let server = authority.flatMap({ Authority($0) }) else { return false }
        // The scheme is not compared: behind a proxy that terminates TLS, the page's scheme differs from the server's.
        return page == server
    }
}

extension HTTPField.Name {
    fileprivate static let secFetchSite = HTTPField.Name("Sec-Fetch-Site")!
}
