package import HTTPTypes

/// The reasons to refuse a request before anything else is done with it.
package enum RequestRefusal: Error, Hashable {
    /// The request names no host, several, or one that cannot exist (RFC 9112 §3.2).
    case invalidHost
    /// The server does not answer to the name.
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

extension RequestRefusal: CustomStringConvertible {
    package var description: String {
        switch self {
        case .invalidHost: "A request names one host, in Host and in an absolute target alike."
        case .hostNotAllowed(let host): "This server does not answer to the name \(host): start it with --allowed-host \(host)."
        case .crossOrigin: "Only pages of this server may request changes."
        }
    }
}
