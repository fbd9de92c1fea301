import HTTPTypes
import Hummingbird
import Orders

extension DispatchRoutes {
    /// A signed-in dispatcher: the requests with the dispatcher's token, and the contexts in the language of the page.
    struct Dispatcher: Sendable {
        let service: DispatchService
        let contexts: DispatchContexts
    }

    /// A request of a dispatcher.
    ///
    /// A screen outlives the request for its page, and therefore holds only the dispatcher.
    struct Visit: Sendable {
        let request: Request
        let dispatcher: Dispatcher

        var service: DispatchService { dispatcher.service }
        var contexts: DispatchContexts { dispatcher.contexts }
        var texts: LocalizedStrings { contexts.texts.strings }
    }

    /// Responds to a dispatcher; another person is redirected to the list of orders.
    ///
    /// - Parameter signedOut: Returns the response to somebody who is not signed in.
    func withVisit(
        _ request: Request, signedOut: () -> Response = Self.redirectToSignIn, _ respond: (Visit) async throws -> Response
    ) async throws -> Response {
        try await withVisit(request, signedOut: signedOut, reading: { _ in }) { visit, _ in try await respond(visit) }
    }

    /// Responds to a dispatcher with content that is read while the API identifies the person.
    ///
    /// - Parameter read: Reads the content with the token of the request, which is not verified yet. It must therefore not be one of the
    ///   reads that dispatchers share: anybody could delay these.
    func withVisit<Content: Sendable>(
        _ request: Request, signedOut: () -> Response = Self.redirectToSignIn,
        reading read: @escaping @Sendable (DispatchService) async throws -> Content, _ respond: (Visit, Content) async throws -> Response
    ) async throws -> Response {
        guard let token = request.token else { return signedOut() }
        let service = service(token: token)
        async let content = read(service)
        guard let person = try await account.person(withToken: token) else { return signedOut() }
        guard person.isDispatcher else { return .redirect(to: OrderService.Scope.open.path, type: .normal) }
        let visit = Visit(request: request, dispatcher: dispatcher(person, service, in: request.language))
        return cookie.renewed(in: try await respond(visit, try await content), to: request)
    }

    static func redirectToSignIn() -> Response { .redirect(to: AccountRoutes.path, type: .normal) }

    func service(token: String) -> DispatchService {
        DispatchService(orders: OrderService(api: account.api, token: token, receivesPINs: true))
    }

    func dispatcher(_ person: AccountService.Person, _ service: DispatchService, in language: Language) -> Dispatcher {
        let orders = OrderContexts(
            texts: Texts(language), timeZone: repository.timeZone, mapSource: mapSource, now: repository.now,
            failedImages: repository.images.failedImages)
        let contexts = DispatchContexts(
            orders: orders, person: person, formToken: FormToken.token(for: service.orders.token), catalog: repository.catalog,
            makeKey: makeKey)
        return Dispatcher(service: service, contexts: contexts)
    }
}

// MARK: - Pages

extension DispatchRoutes {
    /// Returns a page in the language of a request.
    func page(
        _ template: PageRenderer.Template, _ context: some TemplateFields, title: String, for visit: Visit,
        status: HTTPResponse.Status = .ok
    ) -> Response {
        let language = visit.request.language
        return .page(
            renderer.page(template, context, title: title, in: language, isPlain: visit.request.wantsPlainPage), in: language,
            status: status)
    }

    /// Opens a session for the stream of a page, and returns its id; empty for a plain page, which has no stream.
    func sessionID(of screen: some WindowScreen, for visit: Visit) -> String {
        visit.request.wantsPlainPage ? "" : sessions.openRendered(screen).id
    }
}
