public import Foundation
import HTTPTypes
import LadingOperations
import Synchronization

/// Signs users in, and keeps an ID token at hand that is good: renewed once for all who need it, shortly before it expires or when it was refused.
///
/// ```swift
/// let authentication = FirebaseAuthentication(project, client: client)
/// try await authentication.signIn(email: "ada@example.org", password: password)
/// let database = RealtimeDatabase(project, client: client, authentication: authentication)
/// ```
///
/// Passwords and tokens stand in no error and no recording: the exchanges are not recorded. The interceptors of the client see them.
public final class FirebaseAuthentication: Sendable {
    /// How long before it expires a token is renewed.
    public static let refreshMargin = Duration.seconds(300)

    private let project: FirebaseProject
    private let client: BackendClient
    private let now: @Sendable () -> Date
    private let onChange: @Sendable (FirebaseCredential?) -> Void
    private let state = Mutex(State())

    private struct State {
        var session: FirebaseSession?
        /// Changes that wait to be told, in their order.
        var changes: [FirebaseCredential?] = []
        /// Whether somebody tells them.
        var isNotifying = false
    }

    /// - Parameters:
    ///   - credential: That of somebody who signed in earlier.
    ///   - now: The time of day.
    ///   - onChange: Hears of each new credential, to keep it, and of nil when somebody has signed out; one after the other, in order.
    public init(
        _ project: FirebaseProject, client: BackendClient, credential: FirebaseCredential? = nil,
        now: @escaping @Sendable () -> Date = { Date() }, onChange: @escaping @Sendable (FirebaseCredential?) -> Void = { _ in }
    ) {
        self.project = project
        self.client = client
        self.now = now
        self.onChange = onChange
        if let credential {
            let session = makeSession(credential)
            state.withLock { $0.session = session }
        }
    }

    /// Who is signed in; nil when nobody is.
    public var credential: FirebaseCredential? { session?.credential }

    private var session: FirebaseSession? { state.withLock { $0.session } }

    // MARK: In and out

    /// Signs somebody in by address and password (`accounts:signInWithPassword`).
    ///
    /// - Throws: `Failure`, `BackendError`, or `CancellationError`.
    @discardableResult
    public nonisolated(nonsending) func signIn(email: String, password: String) async throws -> FirebaseCredential {
        try await authenticate("signInWithPassword", email, password)
    }

    /// Makes an account, and signs it in (`accounts:signUp`).
    ///
    /// - Throws: `Failure`, `BackendError`, or `CancellationError`.
    @discardableResult
    public nonisolated(nonsending) func signUp(email: String, password: String) async throws -> FirebaseCredential {
        try await authenticate("signUp", email, password)
    }

    /// Forgets who was signed in. The server is not told: an ID token that is out stays good until it expires.
    public func signOut() {
        state.withLock { state in
            if state.session != nil { state.changes.append(nil) }
            state.session = nil
        }
        notifyChanges()
    }

    /// Tells what has changed. Whoever comes while another one tells leaves it to that one, so that nothing overtakes what was earlier.
    private func notifyChanges() {
        let isAlreadyNotifying = state.withLock { state in
            defer { state.isNotifying = true }
            return state.isNotifying
        }
        guard !isAlreadyNotifying else { return }
        while let change = nextChange() { onChange(change) }
    }

    /// The change that is to be told next; the outer nil when there is none, and nobody tells any more.
    private func nextChange() -> FirebaseCredential?? {
        state.withLock { state -> FirebaseCredential?? in
            state.isNotifying = !state.changes.isEmpty
            return state.changes.isEmpty ? nil : .some(state.changes.removeFirst())
        }
    }

    private func authenticate(_ action: String, _ email: String, _ password: String) async throws -> FirebaseCredential {
        let body = SignInRequest(email: email, password: password)
        let message = project.identity.message(
            .post, "v1/accounts:\(action)", query: ["key": .init(project.apiKey)], content: try .json(body))
        let reply: SignInResponse = try await send(message, limits: project.identity.limits)
        let credential = FirebaseCredential(
            userID: reply.localId, email: reply.email ?? email, idToken: reply.idToken, refreshToken: reply.refreshToken,
            expires: expiry(reply.expiresIn))
        let session = makeSession(credential)
        state.withLock { state in
            state.session = session
            state.changes.append(credential)
        }
        notifyChanges()
        return credential
    }

    // MARK: Tokens

    /// The ID token that is good now.
    ///
    /// - Parameter refused: One that a service did not accept. When it was that of somebody who has signed out, nobody is signed in.
    /// - Throws: `Failure`, `BackendError`, or `CancellationError`.
    public nonisolated(nonsending) func idToken(replacing refused: String? = nil) async throws -> String {
        guard let token = try await tokenIfSignedIn(replacing: refused) else { throw Failure.notSignedIn }
        return token
    }

    /// The ID token that is good now; nil when nobody is signed in, or not the one who was refused.
    func tokenIfSignedIn(replacing refused: String? = nil) async throws -> String? {
        guard let session else { return nil }
        let credential = session.credential
        if let refused {
            // What somebody asked is not asked again in the name of somebody else, who has signed in meanwhile.
            return session.hasIssued(refused) ? try await session.tokens.token(replacing: refused) : nil
        }
        guard credential.expires.timeIntervalSince(now()) < Self.refreshMargin / .seconds(1) else {
            return try await session.tokens.token()
        }
        do {
            return try await session.tokens.token(replacing: credential.idToken)
        } catch let error where !(error is CancellationError) && credential.expires > now() {
            // It was to be renewed early; while it is good it is not missed.
            return credential.idToken
        }
    }

    /// The ID token that is good and at hand; nil when there is none.
    var cachedToken: String? { credential.flatMap { $0.expires > now() ? $0.idToken : nil } }

    private func makeSession(_ credential: FirebaseCredential) -> FirebaseSession {
        FirebaseSession(credential) { [weak self] session in
            guard let self else { throw CancellationError() }
            return try await refreshCredential(of: session)
        }
    }

    private func refreshCredential(of session: FirebaseSession) async throws -> FirebaseCredential {
        var credential = session.credential
        let form: URLQuery = ["grant_type": "refresh_token", "refresh_token": .init(credential.refreshToken)]
        let message = project.tokens.message(.post, "v1/token", query: ["key": .init(project.apiKey)], content: .form(form))
        let reply: RefreshResponse = try await send(message, limits: project.tokens.limits)
        (credential.idToken, credential.refreshToken, credential.expires) = (reply.id_token, reply.refresh_token, expiry(reply.expires_in))
        session.update(credential)
        state.withLock { state in
            // Whoever signed in meanwhile is somebody else.
            if state.session === session { state.changes.append(credential) }
        }
        notifyChanges()
        return credential
    }

    private func expiry(_ seconds: String) -> Date { now().addingTimeInterval(TimeInterval(seconds) ?? 0) }

    // MARK: Asking

    private func send<Reply: Decodable>(_ message: RequestMessage, limits bounds: ResponseLimits) async throws -> Reply {
        var message = message
        message.isConfidential = true
        let reply = try await client.response(to: message, within: bounds)
        switch reply.status.kind {
        case .successful:
            do { return try JSONDecoder().decode(Reply.self, from: Data(reply.body)) } catch { throw Failure.decodingFailed(cause: error) }
        case .clientError where reply.status != .tooManyRequests:
            guard let problem = FirebaseErrorBody(reply) else { fallthrough }
            throw Failure(problem)
        default:
            throw BackendError.status(reply.status.code, reply.url, headers: reply.headers)
        }
    }
}

extension FirebaseAuthentication.Failure {
    /// `WEAK_PASSWORD : Password should be at least 6 characters` is a code and what is added to it.
    fileprivate init(_ problem: FirebaseErrorBody) {
        let parts = problem.message.split(separator: ":", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
        self = .refused(.init(rawValue: parts.first ?? problem.message), detail: parts.dropFirst().first)
    }
}

// MARK: - On the wire

private struct SignInRequest: Encodable {
    var email: String
    var password: String
    var returnSecureToken = true
}

private struct SignInResponse: Decodable {
    var localId: String
    var email: String?
    var idToken: String
    var refreshToken: String
    /// In seconds.
    var expiresIn: String
}

private struct RefreshResponse: Decodable {
    var id_token: String
    var refresh_token: String
    /// In seconds.
    var expires_in: String
}
