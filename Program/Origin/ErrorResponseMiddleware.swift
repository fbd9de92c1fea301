import struct Foundation.URL
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOHTTP1
import OrderAPI
import OrderStorage
import ServerSecurity

/// A middleware that converts failures to responses.
///
/// A host that is not allowed is refused, other methods get a 405, a full disk a problem document, all other errors a line of plain text, or a problem
/// document of the API. Paths allow only GET and HEAD unless `methods` returns others.
struct ErrorResponseMiddleware: RouterMiddleware {
    /// The seconds after which a request is repeated that needs a database which is not available.
    private static let retrySeconds = 2

    let hosts: AllowedHosts
    /// The data directory of the origin; nil when its data is in memory.
    var directory: URL?
    /// The failures of requests for the API; nil without one.
    var apiFailures: UnroutedFailures?
    /// A closure that returns the methods that a path allows; nil for GET and HEAD.
    let methods: @Sendable (_ path: String) -> [HTTPRequest.Method]?

    @concurrent
    func handle(
        _ request: Request,
        context: OriginContext,
        next: @concurrent (Request, OriginContext) async throws -> Response
    ) async throws -> Response {
        let response = try await respond(to: request, context: context, next: next)
        return request.method == .head ? response.createHeadResponse() : response
    }

    private func respond(
        to request: Request,
        context: OriginContext,
        next: @concurrent (Request, OriginContext) async throws -> Response
    ) async throws -> Response {
        if let violation = hosts.rejection(of: request.head) {
            return failure(violation.status, text: violation.description, of: request)
        }
        let allowed = methods(request.uri.path) ?? [.get, .head]
        guard allowed.contains(request.method) else {
            return failure(.methodNotAllowed, headers: [.allow: allowed.map(\.rawValue).joined(separator: ", ")], of: request)
        }
        do {
            return try await next(request, context)
        } catch let error as HTTPError {
            return failure(error.status, headers: error.headers, text: error.body, of: request)
        } catch let error as HTTPParserError {
            throw error  // Malformed HTTP: the server responds with 400 and closes the connection.
        } catch  where Self.isConnectionError(error) {
            return failure(.serviceUnavailable, of: request)  // The client has disconnected, or the server is shutting down.
        } catch let error as any UnavailableStoreError where error.isUnavailable {
            context.logger.warning("The database is not available.", metadata: ["path": "\(request.uri.path)", "error": "\(error)"])
            return failure(.serviceUnavailable, headers: [.retryAfter: "\(Self.retrySeconds)"], of: request)
        } catch  where InsufficientStorage.isCause(of: error, in: directory) {
            context.logger.error("The disk is full.", metadata: ["path": "\(request.uri.path)", "error": "\(error)"])
            return InsufficientStorage.response
        } catch {
            context.logger.error("A request failed.", metadata: ["path": "\(request.uri.path)", "error": "\(error)"])
            return failure(.internalServerError, of: request)
        }
    }

    private static func isConnectionError(_ error: any Error) -> Bool {
        error is CancellationError || error is ChannelError || error is IOError
    }

    private func failure(
        _ status: HTTPResponse.Status, headers: HTTPFields = [:], text: String? = nil, of request: Request
    ) -> Response {
        if let response = apiFailures?.response(status, fields: headers, detail: text, to: request) { return response }
        var headers = headers
        headers[.contentType] = "text/plain; charset=utf-8"
        let body = ByteBuffer(string: "\(text ?? status.reasonPhrase)\n")
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: body))
    }
}
