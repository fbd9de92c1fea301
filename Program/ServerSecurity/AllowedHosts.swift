package import HTTPTypes
package import ServerStartup

/// The host names that a server accepts.
///
/// The page of an attacker can map its host name to the address of a server after the browser has loaded it (DNS rebinding), and then be same-origin
/// with that server. A server therefore accepts only names that no attacker controls: those of this machine, those that its operator configured, and,
/// if other machines can reach it, IP addresses.
package struct AllowedHosts: Hashable, Sendable {
    /// The accepted names in lower case.
    private let names: Set<String>
    private let isLoopbackOnly: Bool

    /// Creates the allowed hosts of a server.
    ///
    /// - Parameters:
    ///   - address: The address that clients connect to.
    ///   - names: Further names of the server.
    package init(listeningOn address: ListenAddress, names: [String] = []) {
        self.names = Set((names + [address.host]).map { $0.lowercased() })
        isLoopbackOnly = address.isLoopback
    }

    /// Returns the reason to refuse a request by its head; nil for an acceptable request.
    ///
    /// The head must have passed a `RequestHeadHandler`, which adds the host of an absolute target.
    package func rejection(of request: HTTPRequest) -> RequestRejection? {
        guard !request.headerFields.contains(.duplicateHost), let host = request.authority.flatMap({ Authority($0) })?.host else {
            return .invalidHost
        }
        guard contains(host) else { return .hostNotAllowed(host) }
        return request.isSafeOrSameOrigin ? nil : .crossOrigin
    }

    private func contains(_ host: String) -> Bool {
        names.contains(host) || ListenAddress.isLoopback(host) || (!isLoopbackOnly && ListenAddress.isIPAddress(host))
    }
}

extension HTTPField.Name {
    /// The name of further `Host` fields, which the codec retains among the fields after using the first one as the authority.
    fileprivate static let duplicateHost = HTTPField.Name("Host")!
}
