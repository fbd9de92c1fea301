package import HTTPTypes

/// The reason to refuse a request before it is routed.
package enum RequestRejection: Error, Hashable {
    /// The request has no host, several, or an invalid one (RFC 9112 §3.2).
    case invalidHost
    /// The server does not accept the host name.
    case hostNotAllowed(String)
    /// A page of another server requests a change.
    case crossOrigin

    package var status: HTTPResponse.Status {
        switch self {
        case .invalidHost: .badRequest
        case .hostNotAllowed: .misdirectedRequest
        case .crossOrigin: .forbidden
        }
    }
}

extension RequestRejection: CustomStringConvertible {
    package var description: String {
        switch self {
        case .invalidHost: "A request must name one host, the same in Host and in an absolute request target."
        case .hostNotAllowed(let host): "This server does not accept the host name \(host): restart it with --allowed-host \(host)."
        case .crossOrigin: "Cross-origin requests must not change anything: send the request from a page of this server."
        }
    }
}
