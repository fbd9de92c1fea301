import HTTPTypes

extension HTTPRequest {
    /// Whether the request changes nothing (RFC 9110 §9.2.1), or no page of another server sent it.
    ///
    /// Browsers name the sender in `Sec-Fetch-Site`, older ones in `Origin`. A request with neither comes from no page: no browser can be made to send
    /// it. The proof counts only together with a host that the server answers to: a page can give its own host any address, this server's too.
    var isSafeOrSameOrigin: Bool {
        if [.get, .head, .options].contains(method) { return true }
        if let site = headerFields[.secFetchSite] { return site == "same-origin" }
        guard let origin = headerFields[.origin] else { return true }
        guard let page = Authority(origin: origin), let server = authority.flatMap({ Authority($0) }) else { return false }
        // Not the scheme: a proxy in front may have taken off the TLS, so that the page knows of it and this server does not.
        return page == server
    }
}

extension HTTPField.Name {
    fileprivate static let secFetchSite = HTTPField.Name("Sec-Fetch-Site")!
}
