package import HTTPTypes
package import ServerStartup

/// The hosts that a server answers to.
///
/// The page of a stranger can let a name of its own lead to a server after the browser has loaded it (DNS rebinding), and would then pass for a page of that
/// server. A server therefore answers to names that no stranger owns: those of this machine, those that its operator gave it, and, if other machines can
/// reach it, addresses.
package struct AllowedHosts: Hashable, Sendable {
    /// In lower case.
    private let names: Set<String>
    private let isLoopbackOnly: Bool

    /// - Parameters:
    ///   - address: The address that clients connect to.
    ///   - names: Further names that lead there.
    package init(listeningOn address: ListenAddress, names: [String] = []) {
        self.names = Set((names + [address.host]).map { $0.lowercased() })
        isLoopbackOnly = address.isLoopback
    }

    /// Returns the reason to refuse a request by its head alone; nil for a request that may be answered.
    ///
    /// The head is one that `RequestHeadInstaller` has let through, so that it names the host of an absolute target too.
    package func refusal(of request: HTTPRequest) -> RequestRefusal? {
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
    /// The codec makes the first `Host` the authority, and leaves every further one among the fields.
    fileprivate static let duplicateHost = HTTPField.Name("Host")!
}
