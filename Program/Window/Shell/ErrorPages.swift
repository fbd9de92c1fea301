import DiskSpace
import Foundation
import HTTPTypes
import Hummingbird
import LadingHTTP
import LadingOperations
import LadingRecording
import Logging
import MarsPhotos
import Thumbnails

/// A middleware that converts errors into error pages: the single mapping of errors to HTTP responses.
struct ErrorPages: RouterMiddleware {
    let renderer: PageRenderer

    @concurrent
    func handle(
        _ request: Request, context: WindowContext, next: @concurrent (Request, WindowContext) async throws -> Response
    ) async throws -> Response {
        do {
            let response = try await next(request, context)
            return request.method == .head ? response.createHeadResponse() : response
        } catch {
            let response = response(to: error, request, context)
            return request.method == .head ? response.createHeadResponse() : response
        }
    }

    private func response(to error: any Error, _ request: Request, _ context: WindowContext) -> Response {
        let texts = Texts(request.language)
        switch OperationError.rootCause(of: error) {
        case PageError.diskFull where !request.acceptsHTML:
            return problem(PageError.diskFull.status, texts.pageErrorMessage(.diskFull), texts)
        case let rejection as PageError:
            return page(rejection.status, texts.pageErrorMessage(rejection), texts, request, rejection.headers)
        case let error as HTTPError where error.status.kind == .clientError:
            let rejection = error.status == .notFound ? PageError.notFound : .malformedRequest
            return page(error.status, texts.pageErrorMessage(rejection), texts, request, error.headers)
        case is PhotoError:
            return page(.notFound, texts.pageErrorMessage(PageError.noSuchRover), texts, request)
        case let error where error is MarsImageError || error is ImageDecodingError:
            return page(.badGateway, texts.problem(for: error, subject: .photo), texts, request)
        case let error as RecordingError where error.isDiskFull:
            let status = PageError.diskFull.status
            guard request.acceptsHTML else { return problem(status, texts.reason(for: error), texts) }
            return page(status, texts.problem(for: error, subject: Self.subject(of: request.uri.path)), texts, request)
        case let error where error is BackendError || error is RecordingError:
            return page(.badGateway, texts.problem(for: error, subject: Self.subject(of: request.uri.path)), texts, request)
                .reloading(after: error)
        case let error:
            context.logger.error("A page failed.", metadata: ["path": "\(request.uri.path)", "error": "\(error)"])
            return page(.internalServerError, texts.strings.internalProblem, texts, request)
        }
    }

    /// Returns an error as `application/problem+json` (RFC 9457), for clients that accept no HTML.
    private func problem(_ status: HTTPResponse.Status, _ title: String, _ texts: Texts) -> Response {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let document = ProblemDocument(status: status.code, title: title)
        return Response(
            status: status,
            headers: [.contentType: "application/problem+json", .cacheControl: "no-store", .contentLanguage: texts.language.tag],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: (try? encoder.encode(document)) ?? Data())))
    }

    private struct ProblemDocument: Encodable {
        let status: Int
        let title: String
    }

    /// Returns the subject of the page at a path.
    private static func subject(of path: String) -> PageProblem.Subject {
        if path.hasPrefix("/orders/") { return .order }
        return path.hasPrefix("/photos/") ? .photo : .orders
    }

    private func page(_ status: HTTPResponse.Status, _ problem: PageProblem, _ texts: Texts, _ request: Request) -> Response {
        page(status, problem.text, details: problem.details, texts, request)
    }

    private func page(
        _ status: HTTPResponse.Status, _ message: String, details: String? = nil, _ texts: Texts, _ request: Request,
        _ headers: HTTPFields = [:]
    ) -> Response {
        let returnLink = Self.returnLink(from: request.uri.path, texts.strings)
        let context = TemplateContext.Problem(
            heading: status == .notFound ? texts.strings.notFoundTitle : texts.strings.problemTitle, message: message,
            details: details, href: returnLink.href, linkText: returnLink.text, texts: texts.strings)
        var response = Response.page(
            renderer.page(.error, context, title: context.heading, in: texts.language, isPlain: true), in: texts.language,
            status: status)
        for field in headers { response.headers[field.name] = field.value }
        return response
    }

    /// Returns the link of an error page by the path of the failed request.
    private static func returnLink(from path: String, _ texts: LocalizedStrings) -> (href: String, text: String) {
        if path.hasPrefix("/orders/") { return ("/orders", texts.backToOrders) }
        if path.hasPrefix("/deliveries/") { return ("/deliveries", texts.backToDeliveries) }
        if path.hasPrefix("/photos/") { return ("/photos", texts.backToRovers) }
        return ("/", texts.back)
    }
}

extension Request {
    fileprivate var acceptsHTML: Bool { headers[.accept]?.contains("text/html") == true }
}

extension RecordingError {
    /// Whether the disk of the recording is full.
    fileprivate var isDiskFull: Bool {
        guard case .writeFailed(_, let cause) = self else { return false }
        return FullDisk.isCause(of: cause)
    }
}

extension PageError {
    fileprivate var status: HTTPResponse.Status {
        switch self {
        case .noSuchOrder, .noSuchDelivery, .noSuchRover, .noSuchSol, .noSuchPhoto, .notFound: .notFound
        case .noSuchScreen, .malformedRequest: .badRequest
        case .sessionGone: .gone
        case .signedOut: .unauthorized
        case .tooManyPages, .tooManyUploads, .notStored: .serviceUnavailable
        case .diskFull: .init(code: 507, reasonPhrase: "Insufficient Storage")
        case .crossOrigin: .forbidden
        case .hostNotAllowed: .misdirectedRequest
        case .contentTooLarge: .contentTooLarge
        }
    }

    /// The fields of the response. Scripts repeat uploads after as many seconds.
    fileprivate var headers: HTTPFields { self == .tooManyUploads ? [.retryAfter: "10"] : [:] }
}
