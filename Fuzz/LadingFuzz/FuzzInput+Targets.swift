import Foundation
import HTTPTypes
import LadingHTTP
import NIOCore
import NIOEmbedded
import NIOHTTP1

@testable import CacheProxy
@testable import ServerSecurity

extension FuzzInput {
    /// Passes a head with this target through the handler of servers.
    func parseTarget(_ target: String, _ fields: HTTPFields) {
        let channel = EmbeddedChannel()
        defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
        guard (try? channel.pipeline.syncOperations.addHandler(RequestHeadHandler())) != nil else { return }
        let headers = HTTPHeaders(fields.map { ($0.name.rawName, $0.value) })
        let part = HTTPServerRequestPart.head(HTTPRequestHead(version: .http1_1, method: .GET, uri: target, headers: headers))
        guard (try? channel.writeInbound(part)) != nil, case .head(let head)? = try? channel.readInbound(as: HTTPServerRequestPart.self)
        else { return }
        precondition(head.uri.hasPrefix("/") || head.uri == "*" || head.headers["Host"].isEmpty, "a target in another form has no host")
    }

    /// Converts a request with this target to a message of a proxy.
    func parseProxyTarget(_ target: String, _ fields: HTTPFields) {
        for base in ["http://example.org", "http://example.org/base/"] {
            guard let url = URL(string: base), let message = ProxyOrigin(url).message(.get, target, fields, []) else { continue }
            precondition(message.url.host() == "example.org" && message.url.port == nil, "a target selects no other server")
            precondition(message.headers[.contentLength] == nil, "the length is that of the body")
            let isOneWord = message.requestTarget?.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }
            precondition(isOneWord == true, "a target has no spaces and no line breaks")
        }
    }
}
