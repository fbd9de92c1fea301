import Foundation
import HTTPTypes
import LadingHTTP
import NIOHTTP1
import Synchronization

/// The observers of interim responses (RFC 9110 §15.2), which AsyncHTTPClient drops, by the numbers of their exchanges.
///
/// AsyncHTTPClient does not say which exchange goes over which connection. A message whose interim responses are wanted therefore carries a field with its
/// number, and `InterimResponseHandler` takes that off on each connection before it is written. Only connections of HTTP/1.1 have the handler: where
/// HTTP/2 is allowed, it is not known beforehand which of the two a connection with TLS will speak.
final class InterimObservers: Sendable {
    typealias Observer = @Sendable (HTTPResponseHead) -> Void

    /// Never written to a socket.
    static let field = HTTPField.Name("Lading-Exchange-Number")!

    private struct State {
        var lastNumber: UInt64 = 0
        var observers: [String: Observer] = [:]
    }

    private let state = Mutex(State())
    /// The schemes of URLs whose connections speak HTTP/1.1 for certain.
    private let schemes: Set<String>

    /// - Parameter usesHTTP2: Whether connections with TLS may speak HTTP/2.
    init(usesHTTP2: Bool) {
        schemes = usesHTTP2 ? ["http"] : ["http", "https"]
    }

    /// Returns the message as it is handed to the client: with a number if its interim responses are wanted, and never with one from elsewhere.
    func numbered(_ message: RequestMessage) -> RequestMessage {
        var numbered = message
        numbered.headers[Self.field] = nil
        guard let report = message.onInterimResponse, let scheme = message.url.scheme, schemes.contains(scheme.lowercased()) else {
            return numbered
        }
        numbered.headers[Self.field] = add { [url = message.url] head in
            if let head = try? ReplyHead(code: UInt(head.status.code), fields: head.headers, from: url) { report(head) }
        }
        return numbered
    }

    /// Ends the observation of a message.
    func remove(_ message: RequestMessage) {
        guard let number = message.headers[Self.field] else { return }
        state.withLock { _ = $0.observers.removeValue(forKey: number) }
    }

    func observer(of number: String) -> Observer? { state.withLock { $0.observers[number] } }

    private func add(_ observer: @escaping Observer) -> String {
        state.withLock { state in
            state.lastNumber += 1
            state.observers["\(state.lastNumber)"] = observer
            return "\(state.lastNumber)"
        }
    }
}
