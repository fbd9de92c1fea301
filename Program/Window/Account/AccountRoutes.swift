import HTTPTypes
import Hummingbird
import LadingOperations
import ServerSecurity
import ServerStartup

/// The page to sign in and out.
///
/// The secret of a link is in the fragment of its URL, which no server and no preview of the link receives; only the form sends it.
struct AccountRoutes: Sendable {
    static let path = "/sign-in"

    let service: AccountService
    let renderer: PageRenderer
    let cookie: TokenCookie
    let proxies: TrustedProxies

    func add(to router: Router<WindowContext>) {
        router.get("\(Self.path)") { request, _ in await accountPage(request) }
        router.post("\(Self.path)") { request, context in try await signIn(request, context) }
        router.post("/sign-out") { request, _ in
            if let token = request.token { try? await service.signOut(token) }
            return cookie.set(to: nil, in: .redirect(to: Self.path, type: .normal), to: request)
        }
    }

    /// Returns the account for the start page; nil if there is nothing to offer, or the origin does not respond.
    func startAccount(_ request: Request) async -> TemplateContext.Account? {
        guard request.token != nil || offersDemoPeople(to: request) else { return nil }
        return try? await account(request)
    }

    private func accountPage(_ request: Request) async -> Response {
        do {
            let account = try await account(request)
            let page = page(account, request)
            return account.person == nil ? page : cookie.renewed(in: page, to: request)
        } catch {
            return page(.init(problem: LocalizedStrings(request.language).signInUnavailable), request, status: .badGateway)
        }
    }

    private func account(_ request: Request) async throws -> TemplateContext.Account {
        let texts = LocalizedStrings(request.language)
        if let token = request.token, let person = try await service.person(withToken: token) { return .init(person: person, texts) }
        return .init(demoPeople: offersDemoPeople(to: request) ? try await service.demoPeople() : [], texts)
    }

    private func signIn(_ request: Request, _ context: WindowContext) async throws -> Response {
        let fields = FormFields(String(buffer: try await request.readBody(upTo: context.maxUploadSize)))
        let texts = LocalizedStrings(request.language)
        do {
            let signIn = try await signIn(fields, request, context)
            return cookie.set(to: signIn.token, in: .redirect(to: Self.path, type: .normal), to: request)
        } catch AccountService.Failure.invalidLink {
            return page(.init(problem: texts.linkInvalid), request, status: .forbidden)
        } catch AccountService.Failure.tooManyAttempts {
            return page(.init(problem: texts.signInLimitExceeded, secret: fields["secret"] ?? ""), request, status: .tooManyRequests)
        } catch {
            return page(.init(problem: texts.signInUnavailable, secret: fields["secret"] ?? ""), request, status: .badGateway)
        }
    }

    private func signIn(_ fields: FormFields, _ request: Request, _ context: WindowContext) async throws -> AccountService.SignIn {
        if let id = fields["demo"], offersDemoPeople(to: request) { return try await service.signIn(asDemo: id) }
        // Without scripts the whole link is pasted.
        let secret = (fields["secret"] ?? "").split(separator: "#").last ?? ""
        let client = proxies.client(of: request.head, from: context.peer)
        return try await service.signIn(secret.filter { !$0.isWhitespace }, for: client?.description)
    }

    /// Whether a client may sign in as one of the demo's people: at this machine, and not through a proxy.
    private func offersDemoPeople(to request: Request) -> Bool { service.offersDemoPeople && !request.head.isForwarded }

    private func page(_ account: TemplateContext.Account, _ request: Request, status: HTTPResponse.Status = .ok) -> Response {
        let texts = LocalizedStrings(request.language)
        let context = TemplateContext.SignIn(
            version: renderer.version, account: account, languages: .init(of: request.language, back: Self.path), texts: texts)
        return .page(renderer.page(.signIn, context, title: texts.signIn, in: request.language), in: request.language, status: status)
    }
}

extension TemplateContext {
    struct SignIn: TemplateFields {
        let version: String
        let account: Account
        let languages: LanguageChoice
        let texts: LocalizedStrings
    }

    /// The signed-in person, or the ways to sign in.
    struct Account: TemplateFields {
        struct Person: TemplateFields {
            let id: String
            let text: String
        }

        struct DemoPerson: TemplateFields {
            let id: String
            let text: String
        }

        var person: Person?
        var demoPeople: [DemoPerson] = []
        var hasDemoPeople = false
        /// The reason why somebody was not signed in.
        var problem: String?
        /// The link or its secret, which can be used again.
        var secret = ""
        /// Whether the form for a link is shown.
        var form = true
    }
}

extension TemplateContext.Account {
    init(person: AccountService.Person, _ texts: LocalizedStrings) {
        self.init(person: Person(id: person.id, text: "\(texts.signedInAs) \(person.label(texts))"), form: false)
    }

    init(demoPeople: [AccountService.Person], _ texts: LocalizedStrings) {
        self.init(
            demoPeople: demoPeople.map { DemoPerson(id: $0.id, text: $0.label(texts)) }, hasDemoPeople: !demoPeople.isEmpty)
    }
}

extension AccountService.Person {
    /// The name and the role.
    fileprivate func label(_ texts: LocalizedStrings) -> String {
        let role = isDispatcher ? texts.dispatcher : texts.courier
        return name.map { "\($0) · \(role)" } ?? role
    }
}
