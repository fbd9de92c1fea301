import Foundation
import HTTPTypes
import Hummingbird
import LadingHTTP
import NIOCore
import OrderLifecycle
import Orders

/// The writes of couriers, which are passed to the origin's API and are not kept here.
///
/// A script sends JSON and gets the response of the API. A form without scripts gets a page: the order, or what was entered with the reason.
extension CourierRoutes {
    /// The maximum length of a body, in bytes: a photo, or a part of one.
    private static let bodyLimit = 8 << 20 + 64 << 10
    /// The maximum length of a form without a photo, in bytes.
    private static let formLimit = 64 << 10
    private static let commands = ["claim", "release", "pick-up", "arrive", "attempt", "return", "deliver"]
    private static let forwardedFields: [HTTPField.Name] = [
        .contentType, .ifMatch, .idempotencyKey, .clientTime, .person, .uploadOffset, .uploadComplete,
    ]
    private static let returnedFields: [HTTPField.Name] = [.contentType, .eTag, .uploadOffset, .uploadComplete, .uploadLimit, .retryAfter]

    func add(to router: Router<WindowContext>) {
        // For everybody else `OrderRoutes` has a list at the path of open orders.
        for scope in OrderService.Scope.allCases where scope != .open {
            router.get(RouterPath(scope.path)) { request, _ -> Response in
                guard let visit = try await visit(request) else { return .redirect(to: AccountRoutes.path, type: .normal) }
                return await list(scope, request, for: visit)
            }
        }
        for command in Self.commands {
            router.post("/orders/:id/\(command)") { request, context in
                let id = try context.parameters.require("id", as: Int.self)
                return try await perform(command, on: id, request)
            }
        }
        for method in [HTTPRequest.Method.head, .put, .patch] {
            router.on("/orders/:id/proofs/:digest", method: method) { request, context in
                let (id, digest) = try (context.parameters.require("id", as: Int.self), context.parameters.require("digest"))
                var query: [String: String] = [:]
                for name in ["kind", "type"] { query[name] = request.uri.queryParameters[name[...]].map(String.init) }
                return try await forward(request, "orders/\(id)/proofs/\(digest.percentEncodedComponent)", query: query)
            }
        }
        router.post("/positions") { request, _ in try await forward(request, "positions") }
        router.get("/verdicts/:key") { request, context in
            try await forward(request, "verdicts/\(context.parameters.require("key").percentEncodedComponent)")
        }
    }

    /// Forwards a request with the token of its cookie, and returns the response.
    private func forward(_ request: Request, _ path: String, query: [String: String] = [:]) async throws -> Response {
        guard [.get, .head].contains(request.method) || request.isFromOwnPage else { throw PageError.crossOrigin }
        // The write waits for somebody to sign in. Its body is not read.
        guard let token = request.token else { return Response(status: .unauthorized, headers: [.cacheControl: "no-store"]) }
        let length = request.headers[.contentLength].flatMap { Int($0) }
        guard length ?? 0 <= Self.bodyLimit else { throw PageError.contentTooLarge }
        var fields = HTTPFields()
        for name in Self.forwardedFields { fields[name] = request.headers[name] }
        do {
            let response = try await account.api.forward(
                request.method, path, query: query, token: token, fields: fields, body: request.forwardedBody())
            var headers: HTTPFields = [.cacheControl: "no-store"]
            for name in Self.returnedFields { headers[name] = response.headers[name] }
            return Response(
                status: response.status, headers: headers,
                body: request.method == .head ? .init() : .init(byteBuffer: ByteBuffer(bytes: response.body)))
        } catch is BackendError {
            return Response(status: .badGateway, headers: [.cacheControl: "no-store"])
        } catch let error as PageError {
            throw error
        } catch {
            // The sender has gone in the middle of the body.
            throw PageError.malformedRequest
        }
    }
}

// MARK: - Forms without scripts

extension CourierRoutes {
    private func perform(_ command: String, on id: Int, _ request: Request) async throws -> Response {
        let type = request.headers[.contentType] ?? ""
        let hasPhoto = type.hasPrefix("multipart/form-data")
        guard hasPhoto || type.hasPrefix("application/x-www-form-urlencoded") else {
            return try await forward(request, "orders/\(id)/\(command)")
        }
        guard let token = request.token else { return .redirect(to: AccountRoutes.path, type: .normal) }
        let limit = hasPhoto && command == "deliver" ? Self.bodyLimit : Self.formLimit
        let visit: Visit?
        // While nobody can be identified a form is read all the same, so that what was entered is not lost.
        do { visit = try await self.visit(request) } catch is BackendError {
            let form = try StepFields(type: type, body: try await Self.bodyWithoutPhoto(of: request, upTo: limit))
            guard form["token"] == FormToken.token(for: token) else { throw PageError.crossOrigin }
            return unsentPage(form, request)
        }
        guard let visit else { return .redirect(to: AccountRoutes.path, type: .normal) }
        let form = try StepFields(type: type, body: [UInt8](buffer: await request.readBody(upTo: limit)))
        let formToken = FormToken.token(for: token)
        guard form["token"] == formToken else {
            guard request.isFromOwnPage else { throw PageError.crossOrigin }
            // The page is older than the last sign-in.
            return unsentPage(
                form, request, status: .forbidden, because: visit.contexts.orders.texts.strings.reasonSignedOut, token: formToken)
        }
        do { return try await perform(command, on: id, form, request, for: visit) } catch is BackendError {
            return unsentPage(form, request)
        }
    }

    /// Returns the body of a form, of a long one only the first and last `formLimit` bytes at least: all fields but the photo.
    ///
    /// The sender may be anybody, and the page that shows the fields again has no photo.
    private static func bodyWithoutPhoto(of request: Request, upTo limit: Int) async throws -> [UInt8] {
        var (start, end, length) = ([UInt8](), [UInt8](), 0)
        do {
            for try await chunk in request.body {
                length += chunk.readableBytes
                guard length <= limit else { throw PageError.contentTooLarge }
                let missing = formLimit - start.count
                start += chunk.readableBytesView.prefix(missing)
                end += chunk.readableBytesView.dropFirst(missing)
                if end.count > 2 * formLimit { end.removeFirst(end.count - formLimit) }
            }
        } catch let error as PageError {
            throw error
        } catch {
            // The sender has gone.
            throw PageError.malformedRequest
        }
        return start + end
    }

    /// Returns the page of a form that was not delivered.
    ///
    /// - Parameter token: The form token in place of that of the form; nil for none.
    private func unsentPage(
        _ form: StepFields, _ request: Request, status: HTTPResponse.Status = .badGateway, because reason: String? = nil,
        token: String? = nil
    ) -> Response {
        let hasPhoto = request.headers[.contentType]?.hasPrefix("multipart/") == true
        let fields = form.entries.map { ($0.name, $0.name == "token" ? token ?? $0.value : $0.value) }
        let page = pages.renderer.unsentPage(
            fields, action: request.uri.path, hasPhoto: hasPhoto, because: reason, needsSignIn: token != nil, in: request.language)
        return .page(page, in: request.language, status: status)
    }

    private func perform(
        _ command: String, on id: Int, _ form: StepFields, _ request: Request, for visit: Visit
    ) async throws -> Response {
        var entry = TemplateContext.StepEntry(reason: form["reason"], name: form["signature"] ?? "", note: form["note"] ?? "")
        do {
            let response = try await submit(command, on: id, form, visit)
            if response.status.kind == .successful { return .redirect(to: "/orders/\(id)?plain=1", type: .normal) }
            guard response.isFinal else {
                return unsentPage(form, request, status: response.status, because: visit.contexts.reason(of: response))
            }
            entry.problem = visit.contexts.rejection(response)
            return try await order(OrderID(id), request, for: visit, entry: entry, status: response.status)
        } catch is ProofMissing {
            entry.problem = visit.contexts.orders.texts.strings.proofMissing
            return try await order(OrderID(id), request, for: visit, entry: entry, status: .unprocessableContent)
        }
    }

    private struct ProofMissing: Error {}

    /// Sends the proofs of a form, and then its command.
    private func submit(_ command: String, on id: Int, _ form: StepFields, _ visit: Visit) async throws -> BackendResponse {
        var body: [String: JSONValue] = [:]
        switch command {
        case "pick-up":
            let items = try await visit.service.order(id)?.items.map { "\($0.id)" } ?? []
            body["missingItems"] = .texts(items.filter { !form.all("item").contains($0) })
        case "attempt": body["reason"] = .text(form["reason"] ?? "")
        case "deliver":
            let proofs = form.proofs
            guard !proofs.isEmpty else { throw ProofMissing() }
            for proof in proofs {
                let path = "orders/\(id)/proofs/\(proof.digest)"
                let response = try await account.api.forward(
                    .put, path, query: ["kind": proof.kind], token: visit.service.token, fields: [.contentType: proof.mediaType],
                    body: .bytes(proof.bytes))
                guard response.status.kind == .successful else { return response }
            }
            body["proofs"] = .texts(proofs.map(\.digest))
        default: break
        }
        var fields: HTTPFields = [.contentType: "application/json", .idempotencyKey: form["key"] ?? ""]
        if command != "claim" { fields[.ifMatch] = "\"\(form["fence"] ?? "")\"" }
        let json = try JSONEncoder().encode(body)
        return try await account.api.forward(
            .post, "orders/\(id)/\(command)", token: visit.service.token, fields: fields, body: .bytes(json))
    }
}

extension HTTPField.Name {
    fileprivate static let idempotencyKey = Self("Idempotency-Key")!
    fileprivate static let clientTime = Self("Lading-Client-Time")!
    fileprivate static let person = Self("Lading-Person")!
    fileprivate static let uploadOffset = Self("Upload-Offset")!
    fileprivate static let uploadComplete = Self("Upload-Complete")!
    fileprivate static let uploadLimit = Self("Upload-Limit")!
}
