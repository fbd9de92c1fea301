import LadingHTTP

extension Error {
    /// Whether the server was not reached, as opposed to an error response.
    var isNetworkFailure: Bool { hostFailure?.isHostUnresponsive ?? false }

    /// Whether the error was caused by a host that did not answer or reported a failure.
    func isFailure(of host: String) -> Bool { hostFailure?.url.authority == host }
}
