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
            forwarded.flatMap(Self.addresses(inForwarded:)), forwardedFor.flatMap(Self.addresses(inForwardedFor:)),
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

// A proxy appends to what the client has sent, so nothing that the client sends may hide what follows it. Texts are split by bytes, because an accent makes
// a comma or a quotation mark another character.
extension TrustedProxies {
    /// Returns the addresses of `Forwarded`; one that is unknown where a quoted string does not end.
    private static func addresses(inForwarded field: String) -> [ClientAddress?] {
        split(field, at: ",").map { $0.map(address(ofElement:)) } ?? [nil]
    }

    /// Returns the addresses of `X-Forwarded-For`, which has no quoted strings.
    private static func addresses(inForwardedFor field: String) -> [ClientAddress?] {
        field.utf8.split(separator: UInt8(ascii: ",")).map { trimmed(Substring($0)) }.filter { !$0.isEmpty }.map(address(ofNode:))
    }

    /// Returns the address in the `for` parameter of a `Forwarded` element; nil where it is obfuscated or missing.
    private static func address(ofElement element: Substring) -> ClientAddress? {
        for pair in split(element, at: ";") ?? [] {
            let parts = pair.utf8.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false).map(Substring.init)
            guard parts.count == 2, parts[0].lowercased() == "for" else { continue }
            return address(ofNode: withoutQuotes(parts[1]))
        }
        return nil
    }

    /// Parses `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1`, `[2001:db8::1]` or `[2001:db8::1]:80`.
    private static func address(ofNode node: Substring) -> ClientAddress? {
        guard node.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        if node.first == "[" {
            guard let end = node.firstIndex(of: "]"), isPort(node[node.index(after: end)...]) else { return nil }
            return ClientAddress(node[node.index(after: node.startIndex)..<end])
        }
        guard let colon = node.firstIndex(of: ":"), colon == node.lastIndex(of: ":") else { return ClientAddress(node) }
        return isPort(node[colon...]) ? ClientAddress(node[..<colon]) : nil
    }

    /// Whether a text is empty, or a colon and a port, which may be obfuscated (RFC 7239 §6.3).
    private static func isPort(_ text: Substring) -> Bool {
        text.isEmpty
            || text.first == ":" && text.count > 1 && text.dropFirst().allSatisfy { $0.isLetter || $0.isNumber || "._-".contains($0) }
    }

    private static func withoutQuotes(_ value: Substring) -> Substring {
        let (bytes, quote) = (value.utf8, UInt8(ascii: "\""))
        return bytes.count >= 2 && bytes.first == quote && bytes.last == quote ? Substring(bytes.dropFirst().dropLast()) : value
    }

    /// Splits at separators outside of quoted strings, trims white space and omits empty parts (RFC 9110 §5.6.1); nil where a quoted string does not end.
    private static func split(_ text: some StringProtocol, at separator: Unicode.Scalar) -> [Substring]? {
        var (isQuoted, isEscaped) = (false, false)
        let parts = Substring(text).utf8.split { byte in
            switch byte {
            case _ where isEscaped: isEscaped = false
            case UInt8(ascii: "\\") where isQuoted: isEscaped = true
            case UInt8(ascii: "\""): isQuoted.toggle()
            default: return byte == UInt8(ascii: separator) && !isQuoted
            }
            return false
        }
        return isQuoted ? nil : parts.map { trimmed(Substring($0)) }.filter { !$0.isEmpty }
    }

    private static func trimmed(_ text: Substring) -> Substring {
        let isSpace: (UInt8) -> Bool = { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        let start = text.utf8.drop(while: isSpace)
        return start.lastIndex { !isSpace($0) }.map { Substring(start[...$0]) } ?? ""
    }
}
