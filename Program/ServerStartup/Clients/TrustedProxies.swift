/// The proxies that a server trusts to name the client of a request.
package struct TrustedProxies: Sendable {
    /// The maximum number of proxies that are examined per request.
    static let hopLimit = 32

    private let ranges: [AddressRange]

    /// Creates the trusted proxies of a server.
    ///
    /// - Parameter ranges: The addresses of the proxies; empty when every peer is a client.
    package init(_ ranges: [AddressRange] = []) {
        self.ranges = ranges
    }

    /// Returns the client of a request: the peer, or the last untrusted address in the field of a trusted proxy.
    ///
    /// A proxy writes one of the fields and may forward the other unchanged. When both exist and disagree, the client may have written one of them,
    /// so both are ignored and the client is the peer.
    ///
    /// - Parameters:
    ///   - forwarded: The values of `Forwarded` (RFC 7239), in order.
    ///   - forwardedFor: The values of `X-Forwarded-For`, in order.
    package func client(of peer: ClientAddress, forwarded: [String], forwardedFor: [String]) -> ClientAddress {
        guard contains(peer) else { return peer }
        let hops = [
            forwarded.flatMap { Self.split($0, at: ",") }.map(Self.address(ofElement:)),
            forwardedFor.flatMap { Self.split($0, at: ",") }.map(Self.address(ofNode:)),
        ].filter { !$0.isEmpty }
        let clients = Set(hops.map { client(of: peer, through: $0) })
        return clients.count == 1 ? clients.first ?? peer : peer
    }

    /// Follows the hops from last to first while they are trusted.
    private func client(of peer: ClientAddress, through hops: [ClientAddress?]) -> ClientAddress {
        var client = peer
        for hop in hops.suffix(Self.hopLimit).reversed() {
            guard contains(client), let hop else { break }
            client = hop
        }
        return client
    }

    package var isEmpty: Bool { ranges.isEmpty }

    /// The same proxies and this machine.
    package var withLoopback: TrustedProxies { TrustedProxies(ranges + ["127.0.0.0/8", "::1/128"].compactMap { AddressRange($0) }) }

    func contains(_ address: ClientAddress) -> Bool { ranges.contains { $0.contains(address) } }
}

// MARK: - Parsing

extension TrustedProxies {
    /// Returns the address in the `for` parameter of a `Forwarded` element; nil where it is obfuscated or missing.
    private static func address(ofElement element: Substring) -> ClientAddress? {
        for pair in split(element, at: ";") {
            guard let equals = pair.firstIndex(of: "="), pair[..<equals].lowercased() == "for" else { continue }
            return address(ofNode: withoutQuotes(pair[pair.index(after: equals)...]))
        }
        return nil
    }

    /// Parses `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1`, `[2001:db8::1]` or `[2001:db8::1]:80`.
    private static func address(ofNode node: Substring) -> ClientAddress? {
        if node.first == "[" {
            guard let end = node.firstIndex(of: "]") else { return nil }
            return ClientAddress(node[node.index(after: node.startIndex)..<end])
        }
        guard let colon = node.firstIndex(of: ":"), colon == node.lastIndex(of: ":") else { return ClientAddress(node) }
        return ClientAddress(node[..<colon])
    }

    private static func withoutQuotes(_ value: Substring) -> Substring {
        value.count >= 2 && value.first == "\"" && value.last == "\"" ? value.dropFirst().dropLast() : value
    }

    /// Splits at separators outside of quotes, trims white space and omits empty parts (RFC 9110 §5.6.1).
    private static func split(_ text: some StringProtocol, at separator: Character) -> [Substring] {
        var isQuoted = false
        let parts = Substring(text).split { character in
            if character == "\"" { isQuoted.toggle() }
            return character == separator && !isQuoted
        }
        return parts.map { part in
            let start = part.drop { $0 == " " || $0 == "\t" }
            return start.lastIndex { $0 != " " && $0 != "\t" }.map { start[...$0] } ?? start
        }.filter { !$0.isEmpty }
    }
}
