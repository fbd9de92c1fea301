import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Maps an error of URLSession to an error of the exchange.
///
/// - Parameter hasReceivedHead: Whether the response head had arrived.
func backendError(_ error: any Error, of message: RequestMessage, hasReceivedHead: Bool) -> any Error {
    // The delegate of Apple's session receives an NSError, which has no text of the library.
    let error: any Error = (error as? URLError) ?? error
    let code = (error as? URLError)?.code
    if isConnectionLost(code) { return BackendError.interrupted(message.url, cause: error) }
    if isMalformed(code, of: message) && !(hasReceivedHead && code == .unknown) {
        return BackendError.malformedResponse(message.url, cause: error)
    }
    return hasReceivedHead ? BackendError.interrupted(message.url, cause: error) : BackendError.unreachable(message.url, cause: error)
}

private func isConnectionLost(_ code: URLError.Code?) -> Bool {
    #if canImport(FoundationNetworking)
        // On Linux this code means a connection that was closed without a response.
        if code == .badServerResponse { return true }
    #endif
    return code == .networkConnectionLost || code == .cancelled
}

private func isMalformed(_ code: URLError.Code?, of message: RequestMessage) -> Bool {
    switch code {
    case .badServerResponse, .cannotParseResponse, .cannotDecodeContentData, .cannotDecodeRawData, .dataLengthExceedsMaximum: true
    #if canImport(FoundationNetworking)
        // Without TLS every failure before the connection is established has a code of its own. Other versions of HTTP are "unsupported".
        case .unsupportedURL: true
        case .unknown: message.url.scheme?.lowercased() == "http"
    #endif
    default: false
    }
}
