import Foundation
import HTTPTypes
import LadingHTTP
import NIOHTTP1
import Synchronization

/// The parts of exchanges that AsyncHTTPClient does not support, by exchange number.
///
/// These are observers of interim responses (RFC 9110 §15.2), which it drops, and request targets, which it derives from the URL.
///
/// AsyncHTTPClient does not report which exchange uses which connection. A message with such a part therefore carries its number in a header
/// field, which `InterimResponseHandler` removes before it is written. Only connections of HTTP/1.1 have the handler: where HTTP/2 is allowed,
/// it is not known beforehand which of the two a connection with TLS will use.
final class ExchangeRegistry: Sendable {
    typealias Observer = @Sendable (HTTPResponseHead) -> Void

    /// The header field with the number of an exchange, never written to a socket.
    static let numberField = HTTPField.Name("Lading-Exchange-Number")!

    /// The parts of an exchange that the handler of its connection needs.
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
    /// The schemes of URLs whose connections certainly use HTTP/1.1.
    private let schemes: Set<String>

    /// - Parameter usesHTTP2: Whether connections with TLS may use HTTP/2.
    init(usesHTTP2: Bool) {
        schemes = usesHTTP2 ? ["http"] : ["http", "https"]
    }

    /// Returns the message for the client: with a number if the handler needs one, never with a number from elsewhere.
    func registering(_ message: RequestMessage) -> RequestMessage {
        var numbered = message
        numbered.headers[Self.numberField] = nil
        guard message.onInterimResponse != nil || message.requestTarget != nil, let scheme = message.url.scheme,
            schemes.contains(scheme.lowercased())
        else { return numbered }
        numbered.headers[Self.numberField] = add(Exchange(observer: Self.observer(for: message), target: message.requestTarget))
        return numbered
    }

    private static func observer(for message: RequestMessage) -> Observer? {
        guard let report = message.onInterimResponse else { return nil }
        return { [url = message.url] head in
            if let head = try? ResponseHead(code: UInt(head.status.code), fields: head.headers, from: url) { report(head) }
        }
    }

    /// Removes the exchange of a message.
    func remove(_ message: RequestMessage) {
        guard let number = message.headers[Self.numberField] else { return }
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
