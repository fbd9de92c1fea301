package import Foundation

/// The query parameters of URLs that carry credentials and must not be shown.
package struct QuerySecrets: Sendable {
    private let names: Set<String>

    /// Creates the set of secret query items.
    ///
    /// - Parameter names: The names as they are encoded in the query.
    package init(_ names: Set<String>) {
        self.names = names
    }

    package func removed(from url: URL) -> URL {
        guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: true), let items = parts.percentEncodedQueryItems else {
            return url
        }
        let rest = items.filter { !names.contains($0.name) }
        guard rest.count < items.count else { return url }
        parts.percentEncodedQueryItems = rest.isEmpty ? nil : rest
        return parts.url ?? url
    }

    /// Returns an error without the parameters in its URL, and without the URL that Foundation adds to its cause.
    package func removed(from error: any Error) -> any Error {
        guard let error = error as? BackendError else { return error }
        let url = removed(from: error.url)
        return switch error {
        case .unreachable(_, let cause): BackendError.unreachable(url, cause: withoutURL(cause))
        case .timedOut(_, let limit): BackendError.timedOut(url, after: limit)
        case .interrupted(_, let cause): BackendError.interrupted(url, cause: withoutURL(cause))
        case .malformedResponse(_, let cause): BackendError.malformedResponse(url, cause: withoutURL(cause))
        case .status(let status, _, let response): BackendError.status(status, url, response: response)
        case .bodyTooLarge(_, let limit): BackendError.bodyTooLarge(url, limit: limit)
        case .bufferLimitExceeded(_, let limit): BackendError.bufferLimitExceeded(url, limit: limit)
        case .tooManyRedirects(_, let limit): BackendError.tooManyRedirects(url, limit: limit)
        case .policyViolation(_, let violation): BackendError.policyViolation(url, violation)
        case .decodingFailed(_, let cause): BackendError.decodingFailed(url, cause: cause)
        case .circuitOpen(_, let pause): BackendError.circuitOpen(url, retryAfter: pause)
        }
    }

    /// Removes the URL from the user info of a `URLError`.
    private func withoutURL(_ cause: any Error) -> any Error {
        (cause as? URLError).map { URLError($0.code) } ?? cause
    }
}
