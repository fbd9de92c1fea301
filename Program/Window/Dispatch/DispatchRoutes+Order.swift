import HTTPTypes
import Hummingbird
import LadingHTTP
import NIOCore

// One order, with its history and its proofs.
extension DispatchRoutes {
    /// Returns the page of an order.
    ///
    /// - Parameters:
    ///   - content: The order, and a position of the change feed before it was read; nil if there is no such order.
    ///   - rejection: The response to a command that was not carried out; nil for none.
    func orderPage(
        _ content: (order: DispatchService.Order, position: String)?, for visit: Visit, rejection: BackendResponse? = nil
    ) throws -> Response {
        guard let (order, position) = content else { throw PageError.noSuchOrder }
        let screen = orderScreen(order, at: position, for: visit.dispatcher)
        let current = screen.current
        let context = visit.contexts.page(
            current.content, backURL: DispatchQuery.path, rejection: rejection, version: current.version,
            sessionID: sessionID(of: screen, for: visit))
        return page(.dispatchOrder, context, title: context.order.title, for: visit, status: rejection?.status ?? .ok)
    }

    func orderScreen(
        _ content: DispatchService.Order, at position: String, for dispatcher: Dispatcher
    ) -> LiveScreen<DispatchService.Order> {
        let (service, contexts) = (dispatcher.service, dispatcher.contexts)
        let id = content.order.id
        let source = LiveScreen<DispatchService.Order>.Source(
            read: { _ in try await service.order(id) }, isAffected: { change in change.order == id })
        return LiveScreen(content, at: position, from: source, service.orders, clock: clock) { [renderer] current in
            let context = contexts.page(
                current.content, backURL: DispatchQuery.path, failure: current.failure, version: current.version, sessionID: "")
            return DetailEvent(version: current.version, state: "loaded", html: JSONText(renderer.fragment(.dispatchDetail, context)))
        }
    }

    /// Downloads a proof, which is sandboxed because a courier chose its content and type.
    func proof(_ digest: String, of order: Int, for visit: Visit) async throws -> Response {
        let service = visit.service.orders
        let response = try await service.api.download("orders/\(order)/proofs/\(digest.percentEncodedComponent)", token: service.token)
        guard response.status.kind == .successful else { throw PageError.notFound }
        var headers: HTTPFields = [.cacheControl: "private, no-store", .xContentTypeOptions: "nosniff"]
        headers[.contentType] = response.headers[.contentType]
        headers[.contentSecurityPolicy] = "sandbox; default-src 'none'"
        return Response(status: .ok, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: response.body)))
    }
}
