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
    public static let renewalLead = Duration.seconds(300)

    private let project: FirebaseProject
    private let client: BackendClient
    private let now: @Sendable () -> Date
    private let onChange: @Sendable (FirebaseCredential?) -> Void
    private let session: Mutex<FirebaseSession?>

    /// - Parameters:
    ///   - credential: That of somebody who signed in earlier.
    ///   - now: The time of day.
    ///   - onChange: Hears of each new credential, to keep it, and of nil when somebody has signed out.
    public init(
        _ project: FirebaseProject, client: BackendClient, credential: FirebaseCredential? = nil,
        now: @escaping @Sendable () -> Date = { Date() }, onChange: @escaping @Sendable (FirebaseCredential?) -> Void = { _ in }
    ) {
        self.project = project
        self.client = client
        self.now = now
        self.onChange = onChange
        session = Mutex(nil)
        if let credential { session.withLock { $0 = makeSession(credential) } }
    }

    /// Who is signed in; nil when nobody is.
    public var credential: FirebaseCredential? { session.withLock { $0 }?.credential }

    // MARK: In and out

    /// Signs somebody in by address and password (`accounts:signInWithPassword`).
    ///
    /// - Throws: `Failure`, `BackendError`, or `CancellationError`.
    @discardableResult
    public func signIn(email: String, password: String) async throws -> FirebaseCredential {
        try await enter("signInWithPassword", email, password)
    }

    /// Makes an account, and signs it in (`accounts:signUp`).
    ///
    /// - Throws: `Failure`, `BackendError`, or `CancellationError`.
    @discardableResult
    public func signUp(email: String, password: String) async throws -> FirebaseCredential {
        try await enter("signUp", email, password)
    }

    /// Forgets who was signed in. The server is not told: an ID token that is out stays good until it expires.
    public func signOut() {
        let wasSignedIn = session.withLock { session in
            defer { session = nil }
            return session != nil
        }
        if wasSignedIn { onChange(nil) }
    }

    private func enter(_ action: String, _ email: String, _ password: String) async throws -> FirebaseCredential {
        let wish = SignInWish(email: email, password: password)
        let message = project.identity.message(
            .post, "v1/accounts:\(action)", query: ["key": .init(project.apiKey)], content: try .json(wish))
        let reply: SignInReply = try await ask(message, within: project.identity.bounds)
        let credential = FirebaseCredential(
            userID: reply.localId, email: reply.email ?? email, idToken: reply.idToken, refreshToken: reply.refreshToken,
            expires: expiry(reply.expiresIn))
        session.withLock { $0 = makeSession(credential) }
        onChange(credential)
        return credential
    }

    // MARK: Tokens

    /// The ID token that is good now.
    ///
    /// - Parameter refused: One that a service did not accept. When it was that of somebody who has signed out, nobody is signed in.
    /// - Throws: `Failure`, `BackendError`, or `CancellationError`.
    public func idToken(insteadOf refused: String? = nil) async throws -> String {
        guard let token = try await tokenIfSignedIn(insteadOf: refused) else { throw Failure.notSignedIn }
        return token
    }

    /// The ID token that is good now; nil when nobody is signed in, or not the one who was refused.
    func tokenIfSignedIn(insteadOf refused: String? = nil) async throws -> String? {
        guard let session = session.withLock({ $0 }) else { return nil }
        let credential = session.credential
        if let refused {
            // What somebody asked is not asked again in the name of somebody else, who has signed in meanwhile.
            return session.hasHad(refused) ? try await session.tokens.token(insteadOf: refused) : nil
        }
        guard credential.expires.timeIntervalSince(now()) < Self.renewalLead / .seconds(1) else {
            return try await session.tokens.token()
        }
        do {
            return try await session.tokens.token(insteadOf: credential.idToken)
        } catch let error where !(error is CancellationError) && credential.expires > now() {
            // It was to be renewed early; while it is good it is not missed.
            return credential.idToken
        }
    }

    private func makeSession(_ credential: FirebaseCredential) -> FirebaseSession {
        FirebaseSession(credential) { [weak self] session in
            guard let self else { throw CancellationError() }
            return try await renewed(session)
        }
    }

    private func renewed(_ session: FirebaseSession) async throws -> FirebaseCredential {
        var credential = session.credential
        let form: URLQuery = ["grant_type": "refresh_token", "refresh_token": .init(credential.refreshToken)]
        let message = project.tokens.message(.post, "v1/token", query: ["key": .init(project.apiKey)], content: .form(form))
        let reply: RenewalReply = try await ask(message, within: project.tokens.bounds)
        (credential.idToken, credential.refreshToken, credential.expires) = (reply.id_token, reply.refresh_token, expiry(reply.expires_in))
        session.take(credential)
        // Whoever signed in meanwhile is somebody else.
        if self.session.withLock({ $0 === session }) { onChange(credential) }
        return credential
    }

    private func expiry(_ seconds: String) -> Date { now().addingTimeInterval(TimeInterval(seconds) ?? 0) }

    // MARK: Asking

    private func ask<Reply: Decodable>(_ message: RequestMessage, within bounds: ReplyBounds) async throws -> Reply {
        var message = message
        message.isConfidential = true
        let reply = try await client.reply(to: message, within: bounds)
        switch reply.status.kind {
        case .successful:
            do { return try JSONDecoder().decode(Reply.self, from: Data(reply.body)) } catch { throw Failure.unreadable(cause: error) }
        case .clientError where reply.status != .tooManyRequests:
            guard let problem = FirebaseProblem(reply) else { fallthrough }
            throw Failure(problem)
        default:
            throw BackendError.status(reply.status.code, reply.url, headers: reply.headers)
        }
    }
}

extension FirebaseAuthentication.Failure {
    /// `WEAK_PASSWORD : Password should be at least 6 characters` is a code and what is added to it.
    fileprivate init(_ problem: FirebaseProblem) {
        let parts = problem.message.split(separator: ":", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
        self = .refused(.init(rawValue: parts.first ?? problem.message), detail: parts.dropFirst().first)
    }
}

// MARK: - On the wire

private struct SignInWish: Encodable {
    var email: String
    var password: String
    var returnSecureToken = true
}

private struct SignInReply: Decodable {
    var localId: String
    var email: String?
    var idToken: String
    var refreshToken: String
    /// In seconds.
    var expiresIn: String
}

private struct RenewalReply: Decodable {
    var id_token: String
    var refresh_token: String
    /// In seconds.
    var expires_in: String
}
