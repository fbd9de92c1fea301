public import Foundation
import HTTPTypes
public import LadingHTTP
import Observers
import Synchronization

/// A Firebase sign-in that provides a valid ID token. One refresh serves all callers, shortly before expiry or after a rejection.
///
/// ```swift
/// let authentication = FirebaseAuthentication(project, client: client)
/// try await authentication.signIn(email: "ada@example.org", password: password)
/// let database = RealtimeDatabase(project, client: client, authentication: authentication)
/// ```
///
/// Passwords and tokens appear in no error and no recording: the exchanges are not recorded. The client's interceptors see them.
public final class FirebaseAuthentication: Sendable {
    /// The time before a token's expiry at which it is refreshed.
    package static let refreshMargin = Duration.seconds(300)

    private let project: FirebaseProject
    private let client: BackendClient
    private let now: @Sendable () -> Date
    private let onChange: @Sendable (FirebaseCredential?) -> Void
    private let state = Mutex(State())

    private struct State {
        var session: FirebaseSession?
        /// The number of the last sign-in or sign-out; the response to an earlier sign-in has no effect.
        var signInNumber = 0
        /// The changes that were not yet reported to `onChange`, in order.
        var changes: [FirebaseCredential?] = []
        var deliveryRight = DeliveryRight()

        /// Returns the changes to report; nil if there are none, or if another caller reports them.
        mutating func nextChanges(isHolder: inout Bool) -> [FirebaseCredential?]? {
            guard deliveryRight.acquire(if: !changes.isEmpty, isHolder: &isHolder) else { return nil }
            defer { changes = [] }
            return changes
        }
    }

    /// Creates the authentication of a project.
    ///
    /// - Parameters:
    ///   - credential: The credential of an earlier sign-in.
    ///   - now: Returns the current date.
    ///   - onChange: Called with each new credential, for storage, and with nil after a sign-out; serially and in order.
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

    /// The credential of the signed-in user; nil when there is none.
    public var credential: FirebaseCredential? { session?.credential }

    /// The session of the signed-in user; nil when there is none.
    var session: FirebaseSession? { state.withLock { $0.session } }

    // MARK: Signing in and out

    /// Signs in with email address and password (`accounts:signInWithPassword`).
    ///
    /// - Throws: `Failure`, `BackendError`, or `CancellationError`; the latter also when `signOut()` or another sign-in was called meanwhile.
    @discardableResult
    public nonisolated(nonsending) func signIn(email: String, password: String) async throws -> FirebaseCredential {
        try await authenticate("signInWithPassword", email, password)
    }

    /// Creates an account and signs in to it (`accounts:signUp`).
    ///
    /// - Throws: As `signIn(email:password:)`; the account may have been created nevertheless.
    @discardableResult
    public nonisolated(nonsending) func signUp(email: String, password: String) async throws -> FirebaseCredential {
        try await authenticate("signUp", email, password)
    }

    /// Discards the credential, and that of a sign-in in progress. The server is not notified: an ID token that was issued stays valid until it
    /// expires.
    public func signOut() {
        state.withLock { state in
            state.signInNumber += 1
            if state.session != nil { state.changes.append(nil) }
            state.session = nil
        }
        notifyChanges()
    }

    /// Reports pending changes in order, unless another caller reports them.
    private func notifyChanges() {
        var isHolder = false
        while let changes = state.withLock({ $0.nextChanges(isHolder: &isHolder) }) {
            for change in changes { onChange(change) }
        }
    }

    private func nextSignInNumber() -> Int {
        state.withLock { state in
            state.signInNumber += 1
            return state.signInNumber
        }
    }

    private func authenticate(_ action: String, _ email: String, _ password: String) async throws -> FirebaseCredential {
        let number = nextSignInNumber()
        let body = SignInRequest(email: email, password: password)
        let message = project.identity.message(
            .post, "v1/accounts:\(action)", query: ["key": .init(project.apiKey)], content: try .json(body))
        let response: SignInResponse = try await send(message, limits: project.identity.limits)
        let credential = FirebaseCredential(
            userID: response.localId, email: response.email ?? email, idToken: response.idToken, refreshToken: response.refreshToken,
            expires: expiry(response.expiresIn))
        let session = makeSession(credential)
        try state.withLock { state in
            guard state.signInNumber == number else { throw CancellationError() }
            state.session = session
            state.changes.append(credential)
        }
        notifyChanges()
        return credential
    }

    // MARK: Tokens

    /// Returns a valid ID token.
    ///
    /// - Parameter refused: A token that a service rejected. If it was issued to a user who has signed out, the call throws `.notSignedIn`.
    /// - Throws: `Failure`, `BackendError`, or `CancellationError`.
    public nonisolated(nonsending) func idToken(replacing refused: String? = nil) async throws -> String {
        guard let token = try await tokenIfSignedIn(replacing: refused) else { throw Failure.notSignedIn }
        return token
    }

    /// Returns a valid ID token; nil when no user is signed in or the rejected token was issued to another user.
    func tokenIfSignedIn(replacing refused: String? = nil) async throws -> String? {
        guard let session else { return nil }
        // A request of one user is not repeated as another, who has signed in meanwhile.
        if let refused, !session.hasIssued(refused) { return nil }
        return try await token(of: session, replacing: refused)
    }

    /// Returns a valid ID token of a session.
    ///
    /// - Parameter refused: A token of the session that a service rejected.
    func token(of session: FirebaseSession, replacing refused: String?) async throws -> String {
        let credential = session.credential
        // An earlier token was already replaced, with one that may have expired since.
        if refused == credential.idToken { return try await session.tokens.token(replacing: refused) }
        guard credential.expires.timeIntervalSince(now()) < Self.refreshMargin / .seconds(1) else {
            return try await session.tokens.token()
        }
        do {
            return try await session.tokens.token(replacing: credential.idToken)
        } catch let error where !(error is CancellationError) && credential.expires > now() {
            // The early refresh failed, but the current token is still valid.
            return credential.idToken
        }
    }

    /// The current ID token if it is valid; otherwise nil.
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
        let response: RefreshResponse = try await send(message, limits: project.tokens.limits)
        (credential.idToken, credential.refreshToken, credential.expires) = (
            response.id_token, response.refresh_token, expiry(response.expires_in)
        )
        session.update(credential)
        state.withLock { state in
            // Another user may have signed in during the refresh.
            if state.session === session { state.changes.append(credential) }
        }
        notifyChanges()
        return credential
    }

    private func expiry(_ seconds: String) -> Date { now().addingTimeInterval(TimeInterval(seconds) ?? 0) }

    // MARK: Requests

    private func send<Response: Decodable>(_ message: RequestMessage, limits: ResponseLimits) async throws -> Response {
        var message = message
        message.containsSecrets = true
        let response = try await client.response(to: message, within: limits)
        switch response.status.kind {
        case .successful:
            do { return try JSONDecoder().decode(Response.self, from: Data(response.body)) } catch {
                throw Failure.decodingFailed(cause: error)
            }
        case .clientError where response.status != .tooManyRequests:
            guard let problem = FirebaseErrorBody(response) else { fallthrough }
            throw Failure(problem)
        default:
            throw BackendError(statusOf: response)
        }
    }
}

extension FirebaseAuthentication.Failure {
    /// Splits a message such as `WEAK_PASSWORD : Password should be at least 6 characters` into code and detail.
    fileprivate init(_ problem: FirebaseErrorBody) {
        let parts = problem.message.split(separator: ":", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
        self = .refused(.init(rawValue: parts.first ?? problem.message), detail: parts.dropFirst().first)
    }
}

// MARK: - Wire format

private struct SignInRequest: Encodable {
    var email: String
    var password: String
    var returnSecureToken = true
}

extension FirebaseAuthentication {
    struct SignInResponse: Decodable {
        var localId: String
        var email: String?
        var idToken: String
        var refreshToken: String
        /// The lifetime of the token, in seconds.
        var expiresIn: String
    }

    struct RefreshResponse: Decodable {
        var id_token: String
        var refresh_token: String
        /// The lifetime of the token, in seconds.
        var expires_in: String
    }
}
