import Foundation
import HTTPTypes
import LadingHTTP
import NIOHTTP1
import Synchronization

/// The parts of exchanges that AsyncHTTPClient has no room for, by the numbers of the exchanges: observers of interim responses (RFC 9110 §15.2), which it
/// drops, and request targets, which it takes from a URL.
///
/// AsyncHTTPClient does not say which exchange goes over which connection. A message with such a part therefore carries a field with its number, and `InterimResponseHandler` takes that off on each connection before it is written. Only connections of HTTP/1.1 have the handler: where
/// HTTP/2 is allowed, it is not known beforehand which of the two a connection with TLS will speak.
final class InterimObservers: Sendable {
    typealias Observer = @Sendable (HTTPResponseHead) -> Void

    /// Never written to a socket.
    static let field = HTTPField.Name("Lading-Exchange-Number")!

    /// The properties of an exchange that the handler of its connection uses.
    struct Exchange: Sendable {
        let observer: Observer?
        /// The request target; nil for that of the URL.
        let target: String?
    }

    private struct State {
        var lastNumber: UInt64 = 0
        var exchanges: [String: Exchange] = [:]
    }

    private let state = Mutex(State())
    /// The schemes of URLs whose connections speak HTTP/1.1 for certain.
    private let schemes: Set<String>

    /// - Parameter usesHTTP2: Whether connections with TLS may speak HTTP/2.
    init(usesHTTP2: Bool) {
        schemes = usesHTTP2 ? ["http"] : ["http", "https"]
    }

    /// Returns the message as it is handed to the client: with a number if the handler has something to do for it, and never with one from elsewhere.
    func numbered(_ message: RequestMessage) -> RequestMessage {
        var numbered = message
        numbered.headers[Self.field] = nil
        guard message.onInterimResponse != nil || message.requestTarget != nil, let scheme = message.url.scheme,
            schemes.contains(scheme.lowercased())
        else { return numbered }
        numbered.headers[Self.field] = add(Exchange(observer: Self.observer(for: message), target: message.requestTarget))
        return numbered
    }

    private static func observer(for message: RequestMessage) -> Observer? {
        guard let report = message.onInterimResponse else { return nil }
        return { [url = message.url] head in
            if let head = try? ReplyHead(code: UInt(head.status.code), fields: head.headers, from: url) { report(head) }
        }
    }

    /// Ends the observation of a message.
    func remove(_ message: RequestMessage) {
        guard let number = message.headers[Self.field] else { return }
        state.withLock { _ = $0.exchanges.removeValue(forKey: number) }
    }

    func exchange(_ number: String) -> Exchange? { state.withLock { $0.exchanges[number] } }

    private func add(_ exchange: Exchange) -> String {
        state.withLock { state in
            state.lastNumber += 1
            state.exchanges["\(state.lastNumber)"] = exchange
            return "\(state.lastNumber)"
        }
    }
}
