import ServerStartup

/// A host and a port in normalized form (RFC 3986 §3.2, without user information).
package struct Authority: Hashable, Sendable {
    /// The maximum length of a host, in bytes (RFC 1035 §2.3.4).
    private static let maximumHostLength = 255

    /// The host in lower case; an IPv6 address without brackets.
    package let host: String
    /// The port; nil for the default port of the scheme.
    package let port: Int?

    /// Parses an authority.
    ///
    /// - Returns: nil for an invalid authority.
    package init?(_ text: String) {
        let isLiteral = text.hasPrefix("[")
        let host = isLiteral ? text.dropFirst().prefix { $0 != "]" } : text.prefix { $0 != ":" }
        let end = text[host.endIndex...]
        let rest = isLiteral ? end.dropFirst() : end
        guard !host.isEmpty, host.utf8.count <= Self.maximumHostLength else { return nil }
        if isLiteral {
            guard end.hasPrefix("]"), host.contains(":"), ListenAddress.isIPAddress(String(host)) else { return nil }
        } else {
            guard host.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || ".-_".contains($0)) }) else { return nil }
        }
        self.host = host.lowercased()
        if rest.isEmpty {
            port = nil
            return
        }
        guard rest.hasPrefix(":"), rest.dropFirst().allSatisfy(\.isNumber), let port = UInt16(rest.dropFirst()) else { return nil }
        self.port = Int(port)
    }

    /// Creates the authority of an `Origin` field (RFC 6454 §6.2). Browsers omit the default port of the scheme, there and in `Host`.
    ///
    /// - Returns: nil for `null` and for schemes other than HTTP and HTTPS.
    package init?(origin: String) {
        let origin = origin.lowercased()
        guard let scheme = ["http://", "https://"].first(where: origin.hasPrefix) else { return nil }
        self.init(String(origin.dropFirst(scheme.count)))
    }
}
