import LadingHTTP

extension Error {
    /// Whether the server was not reached, as far as can be told; what it answered is another matter.
    var isNetworkFailure: Bool { hostFailure?.isHostUnresponsive ?? false }

    /// Whether it failed because a host did not answer, or answered that it does not work.
    func isFailure(of host: String) -> Bool { hostFailure?.url.authority == host }
}
