import HTTPTypes
import Hummingbird
import LadingHTTP
import LadingOperations
import Logging

/// Answers what went wrong with a page that says so and leads on: the one place where errors become HTTP.
struct ProblemPages: RouterMiddleware {
    let contexts: OrderContexts
    let renderer: PageRenderer

    @concurrent
    func handle(
        _ request: Request, context: WindowContext, next: @concurrent (Request, WindowContext) async throws -> Response
    ) async throws -> Response {
        do {
            let response = try await next(request, context)
            return request.method == .head ? response.createHeadResponse() : response
        } catch {
            let response = answer(to: error, request, context)
            return request.method == .head ? response.createHeadResponse() : response
        }
    }

    private func answer(to error: any Error, _ request: Request, _ context: WindowContext) -> Response {
        let texts = contexts.texts.plain
        switch OperationError.rootCause(of: error) {
        case is OrderPages.NoSuchOrder:
            return page(.notFound, texts.notFoundTitle, texts.noSuchOrder, request)
        case let error as HTTPError where error.status == .notFound:
            return page(.notFound, texts.notFoundTitle, texts.notFound, request)
        case let error as HTTPError:
            return page(error.status, texts.problemTitle, error.body ?? error.status.reasonPhrase, request, error.headers)
        case let error as BackendError:
            return page(.badGateway, texts.problemTitle, contexts.reason(error), request)
        case let error:
            context.logger.error("A page failed.", metadata: ["path": "\(request.uri.path)", "error": "\(error)"])
            return page(.internalServerError, texts.problemTitle, texts.problem, request)
        }
    }

    private func page(
        _ status: HTTPResponse.Status, _ heading: String, _ message: String, _ request: Request, _ headers: HTTPFields = [:]
    ) -> Response {
        let isOrder = request.uri.path.hasPrefix("/orders/")
        let context = TemplateContext.Problem(
            heading: heading, message: message, href: isOrder ? "/orders" : "/",
            linkText: isOrder ? contexts.texts.plain.backToOrders : contexts.texts.plain.back)
        var response = Response.page(renderer.page(.error, context, title: heading, isPlain: true), status: status)
        for field in headers { response.headers[field.name] = field.value }
        return response
    }
}
