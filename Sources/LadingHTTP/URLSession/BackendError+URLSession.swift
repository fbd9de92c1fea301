import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What an error of URLSession means to whoever asked.
///
/// - Parameter isBodyExpected: Whether the head of the reply had arrived.
func backendError(_ error: any Error, of message: RequestMessage, hasReceivedHead: Bool) -> any Error {
    let code = (error as? URLError)?.code
    if isConnectionLost(code) { return BackendError.interrupted(message.url, cause: error) }
    if isMalformed(code, of: message) && !(hasReceivedHead && code == .unknown) {
        return BackendError.malformedResponse(message.url, cause: error)
    }
    return hasReceivedHead ? BackendError.interrupted(message.url, cause: error) : BackendError.unreachable(message.url, cause: error)
}

private func isConnectionLost(_ code: URLError.Code?) -> Bool {
    #if canImport(FoundationNetworking)
        // Here this code means a connection that ended without a word.
        if code == .badServerResponse { return true }
    #endif
    return code == .networkConnectionLost || code == .cancelled
}

private func isMalformed(_ code: URLError.Code?, of message: RequestMessage) -> Bool {
    switch code {
    case .badServerResponse, .cannotParseResponse, .cannotDecodeContentData, .cannotDecodeRawData, .dataLengthExceedsMaximum: true
    #if canImport(FoundationNetworking)
        // Without encryption all that can go wrong before a connection stands has a code of its own. HTTP of another version is "unsupported".
        case .unsupportedURL: true
        case .unknown: message.url.scheme?.lowercased() == "http"
    #endif
    default: false
    }
}
