/// The proxies that a server believes when they name the client of a request.
package struct TrustedProxies: Sendable {
    /// The most proxies of one request that are looked at.
    static let hopLimit = 32

    private let ranges: [AddressRange]

    /// - Parameter ranges: Where the proxies are; none when every peer is a client.
    package init(_ ranges: [AddressRange] = []) {
        self.ranges = ranges
    }

    /// Returns the client of a request: the peer, or, where that is a trusted proxy, the last address it was given that is none.
    ///
    /// A proxy writes one of the fields and may pass on the other as it came. When both are there and disagree, one of them is the client's own word: neither is
    /// believed, and the client is the peer.
    ///
    /// - Parameters:
    ///   - forwarded: The values of `Forwarded` (RFC 7239), in their order.
    ///   - forwardedFor: Those of `X-Forwarded-For`.
    package func client(of peer: ClientAddress, forwarded: [String], forwardedFor: [String]) -> ClientAddress {
        guard contains(peer) else { return peer }
        let hops = [
            forwarded.flatMap { Self.split($0, at: ",") }.map(Self.address(ofElement:)),
            forwardedFor.flatMap { Self.split($0, at: ",") }.map(Self.address(ofNode:)),
        ].filter { !$0.isEmpty }
        let clients = Set(hops.map { client(of: peer, through: $0) })
        return clients.count == 1 ? clients.first ?? peer : peer
    }

    /// Follows the hops from the last to the first for as long as they are trusted.
    private func client(of peer: ClientAddress, through hops: [ClientAddress?]) -> ClientAddress {
        var client = peer
        for hop in hops.suffix(Self.hopLimit).reversed() {
            guard contains(client), let hop else { break }
            client = hop
        }
        return client
    }

    func contains(_ address: ClientAddress) -> Bool { ranges.contains { $0.contains(address) } }
}

// MARK: - Reading the fields

extension TrustedProxies {
    /// The address in the parameter `for` of an element of `Forwarded`; nil where it is hidden or missing.
    private static func address(ofElement element: Substring) -> ClientAddress? {
        for pair in split(element, at: ";") {
            guard let equals = pair.firstIndex(of: "="), pair[..<equals].lowercased() == "for" else { continue }
            return address(ofNode: unquoted(pair[pair.index(after: equals)...]))
        }
        return nil
    }

    /// The address in `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1`, `[2001:db8::1]` or `[2001:db8::1]:80`.
    private static func address(ofNode node: Substring) -> ClientAddress? {
        if node.first == "[" {
            guard let end = node.firstIndex(of: "]") else { return nil }
            return ClientAddress(node[node.index(after: node.startIndex)..<end])
        }
        guard let colon = node.firstIndex(of: ":"), colon == node.lastIndex(of: ":") else { return ClientAddress(node) }
        return ClientAddress(node[..<colon])
    }

    private static func unquoted(_ value: Substring) -> Substring {
        value.count >= 2 && value.first == "\"" && value.last == "\"" ? value.dropFirst().dropLast() : value
    }

    /// The parts between separators outside of quotes, without the spaces around them; empty ones are left out (RFC 9110 §5.6.1).
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
