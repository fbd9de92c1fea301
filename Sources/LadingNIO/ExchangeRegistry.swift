import Foundation
import HTTPTypes
import LadingHTTP
import NIOHTTP1
import Synchronization

/// The options of exchanges in progress that AsyncHTTPClient does not support, by exchange number.
///
/// These are observers of interim responses (RFC 9110 §15.2), which it drops, and request targets, which it derives from the URL.
///
/// AsyncHTTPClient does not report which exchange uses which connection. A message with such options therefore carries its number in a header
/// field, which `ExchangeOptionsHandler` removes before the request is written. Only connections of HTTP/1.1 have the handler: where HTTP/2 is
/// allowed, it is not known beforehand which of the two a connection with TLS will use.
final class ExchangeRegistry: Sendable {
    typealias Observer = @Sendable (HTTPResponseHead) -> Void

    /// The header field with the number of an exchange, never written to a socket.
    static let numberField = HTTPField.Name("Lading-Exchange-Number")!

    /// The options of an exchange that the handler of its connection applies.
    struct Options: Sendable {
        let observer: Observer?
        /// The request target; nil for that of the URL.
        let target: String?
    }

    private struct State {
        var lastNumber: UInt64 = 0
        var options: [String: Options] = [:]
    }

    private let state = Mutex(State())
    /// The schemes of URLs whose connections certainly use HTTP/1.1.
    private let schemes: Set<String>

    /// - Parameter usesHTTP2: Whether connections with TLS may use HTTP/2.
    init(usesHTTP2: Bool) {
        schemes = usesHTTP2 ? ["http"] : ["http", "https"]
    }

    /// Stores the options of a message, and returns the message for the client, with the number of the exchange if there are options.
    ///
    /// A number that the message already has is removed, because it could be that of another exchange.
    func registering(_ message: RequestMessage) -> RequestMessage {
        var numbered = message
        numbered.headers[Self.numberField] = nil
        guard message.onInterimResponse != nil || message.requestTarget != nil, let scheme = message.url.scheme,
            schemes.contains(scheme.lowercased())
        else { return numbered }
        numbered.headers[Self.numberField] = add(Options(observer: Self.observer(for: message), target: message.requestTarget))
        return numbered
    }

    private static func observer(for message: RequestMessage) -> Observer? {
        guard let report = message.onInterimResponse else { return nil }
        return { [url = message.url] head in
            if let head = try? ResponseHead(code: UInt(head.status.code), fields: head.headers, from: url) { report(head) }
        }
    }

    /// Removes the options of a numbered message.
    func remove(_ message: RequestMessage) {
        guard let number = message.headers[Self.numberField] else { return }
        state.withLock { _ = $0.options.removeValue(forKey: number) }
    }

    /// Returns the options of an exchange; nil after its end.
    func options(of number: String) -> Options? { state.withLock { $0.options[number] } }

    private func add(_ options: Options) -> String {
        state.withLock { state in
            state.lastNumber += 1
            state.options["\(state.lastNumber)"] = options
            return "\(state.lastNumber)"
        }
    }
}
