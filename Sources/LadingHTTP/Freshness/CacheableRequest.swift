import Foundation
import HTTPTypes

/// A request with all that is needed to forward it to an origin.
struct CacheableRequest: Sendable {
    private(set) var message: RequestMessage
    let timeLimit: Duration
    let executor: any BackendExecutor
    let query: CacheQuery
    /// The group of its stored responses: the partition, and the URL without its fragment.
    let group: String
    private let partition: String

    init(_ message: RequestMessage, partition: String, timeLimit: Duration, _ executor: any BackendExecutor) {
        self.message = message
        self.timeLimit = timeLimit
        self.executor = executor
        self.partition = partition
        query = CacheQuery(method: message.method, url: message.url, headers: message.headers)
        group = Self.group(of: message.url, partition: partition)
    }

    /// The same request without its interim callback, for a refresh after its client has got a response.
    var withoutInterimResponses: CacheableRequest {
        var request = self
        request.message.onInterimResponse = nil
        return request
    }

    static func group(of url: URL, partition: String) -> String {
        let address = url.absoluteString.prefix { $0 != "#" }
        return partition.isEmpty ? String(address) : "\(partition) \(address)"
    }

    /// Returns the group of the responses of another URL in the same partition.
    func group(of url: URL) -> String { Self.group(of: url, partition: partition) }

    /// Returns the key shared by requests that one response most likely serves; nil for a request that is forwarded on its own.
    func flightKey(_ originRequest: OriginRequest) -> String? {
        guard message.method == .get, originRequest.allowsStorage, originRequest.reason != .bypass else { return nil }
        let names: [HTTPField.Name] = [.range, .authorization, .accept, .acceptLanguage, .acceptEncoding, .ifNoneMatch, .ifModifiedSince]
        return ([group] + names.map { message.headers[$0] ?? "" }).joined(separator: "\n")
    }
}

extension RequestMessage {
    /// Whether the message passes through the cache. GET and HEAD with a body do not: the response may depend on it, and it can be read only once.
    ///
    /// Responses are stored by URL, so that a message whose target differs from its URL does not pass either: it may name another resource.
    var isCacheable: Bool {
        guard [.get, .head].contains(method) else { return true }
        return body.length == 0 && (requestTarget.map { url.absoluteString.hasSuffix($0) } ?? true)
    }
}
