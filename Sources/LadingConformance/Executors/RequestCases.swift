import Foundation
import HTTPTypes
import LadingHTTP
import ScriptedServers

extension ExecutorConformance.Case {
    /// The request that a server receives.
    static let requests = [
        Self("Methods arrive as they are written") { trial in
            let server = try trial.server(.send(head: 200, length: 0))
            let methods: [HTTPRequest.Method] = [.get, .head, .post, .put, .patch, .delete, .options, .init("PURGE")!]

            for method in methods { _ = try await trial.response(to: RequestMessage(method: method, url: server.url())) }

            trial.expectEqual(server.log.requests.map(\.method), methods.map(\.rawValue))
        },
        Self("GET and HEAD without a body have no length") { trial in
            let server = try trial.server(.send(head: 200, length: 0))

            // Some load balancers refuse `Content-Length: 0` here (RFC 9110 §8.6).
            for method in [HTTPRequest.Method.get, .head] {
                _ = try await trial.response(to: RequestMessage(method: method, url: server.url()))
            }

            let framing = server.log.requests.map { $0["Content-Length"] ?? $0["Transfer-Encoding"] }
            trial.expectEqual(framing, [nil, nil])
        },
        Self("Path and query arrive as they are written") { trial in
            let server = try trial.server(.send(head: 200, length: 0))
            let targets = ["/", "/a%20b/%C3%A4?q=1%2B1&r=%2F", "/p?page=3", "/p?page=1"]

            for target in targets { _ = try await trial.response(to: RequestMessage(url: server.url(target))) }

            trial.expectEqual(server.log.requests.map(\.target), targets)
        },
        Self("Header fields arrive as they are written") { trial in
            let server = try trial.server(.send(head: 200, length: 0))
            let headers: HTTPFields = [.accept: "a/b", .ifNoneMatch: "\"one\"", .userAgent: "Lading", .authorization: "Bearer x"]

            _ = try await trial.response(to: RequestMessage(url: server.url(), headers: headers))

            let request = server.log.requests.first
            for field in headers { trial.expectEqual(request?[field.name.rawName], field.value, "\(field.name)") }
        },
        Self("Cookies arrive in one field") { trial in
            let server = try trial.server(.send(head: 200, length: 0))
            var headers = HTTPFields()
            headers[.cookie] = "a=1; b=2"

            _ = try await trial.response(to: RequestMessage(url: server.url(), headers: headers))

            let cookies = server.log.requests.first?.fields.filter { $0.name.lowercased() == "cookie" }.map { $0.value }
            trial.expectEqual(cookies, ["a=1; b=2"])
        },
        Self("Bodies arrive byte for byte") { trial in
            let server = try trial.server(.send(head: 200, length: 0))
            let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 9) }

            for method in [HTTPRequest.Method.post, .put, .patch] {
                _ = try await trial.response(to: RequestMessage(method: method, url: server.url(), body: .bytes(bytes)))
            }

            trial.expectEqual(server.log.requests.count, 3)
            trial.expect(server.log.requests.allSatisfy { $0.body == bytes }, "other bytes arrived")
        },
        Self("No state of a response is used in the next request") { trial in
            let statefulFields: HTTPFields = [.setCookie: "a=1; Path=/", .cacheControl: "max-age=600", .eTag: "\"one\""]
            let server = try trial.server(.send(head: 200, statefulFields, length: 1), .send("x"))

            for _ in 1...2 { _ = try await trial.response(from: server) }

            trial.expectEqual(server.log.requests.count, 2, "requests")
            trial.expectEqual(server.log.requests.last?["Cookie"], nil, "the cookie")
            trial.expectEqual(server.log.requests.last?["If-None-Match"], nil, "the validator")
        },
        Self("Concurrent exchanges each get their own response") { trial in
            let server = try trial.server { request in
                [.send(head: 200, length: request.target.utf8.count), .send(request.target)]
            }

            let mismatches = try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 1...200 {
                    group.addTask {
                        let path = "/number-\(number)"
                        return try await trial.response(to: RequestMessage(url: server.url(path))).body != Array(path.utf8)
                    }
                }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }

            trial.expectEqual(mismatches, 0, "responses to other requests")
            trial.expectEqual(Set(server.log.requests.map(\.target)).count, 200)
        },
    ]
}
