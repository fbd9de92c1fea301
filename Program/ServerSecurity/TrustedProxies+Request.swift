package import HTTPTypes
package import NIOCore
package import ServerStartup

extension TrustedProxies {
    /// Returns the network of the client that sent a request; nil for a connection without an IP address.
    ///
    /// - Parameters:
    ///   - request: The head, in whose `Forwarded` or `X-Forwarded-For` field a trusted proxy names the client.
    ///   - peer: The peer address of the connection.
    package func client(of request: HTTPRequest, from peer: SocketAddress?) -> ClientAddress? {
        guard let peer = ClientAddress(peer) else { return nil }
        let fields = request.headerFields
        return client(of: peer, forwarded: fields[values: .forwarded], forwardedFor: fields[values: .xForwardedFor]).network
    }
}

extension HTTPField.Name {
    /// The field of RFC 7239.
    static let forwarded = Self("Forwarded")!
    static let xForwardedFor = Self("X-Forwarded-For")!
}
