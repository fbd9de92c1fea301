import Foundation
import HTTPTypes
import LadingHTTP
import ScriptedServers

/// The accounts of a `FirebaseServer`, with the endpoints `accounts:signInWithPassword`, `accounts:signUp` and `token`.
struct FirebaseAccounts {
    private struct Account {
        var id: String
        var email: String
        var password: String
        var isDisabled = false
    }

    /// The validity of an ID token.
    enum TokenStatus: Equatable {
        /// The token of this user is valid; nil when the request has no token.
        case valid(String?)
        case expired
        case unknown
    }

    private static let minimumPasswordLength = 6

    let lifetime: Duration
    private(set) var refreshCount = 0
    private var accounts: [Account] = []
    private var idTokens: [String: (user: String, expires: Date)] = [:]
    private var refreshTokens: [String: String] = [:]
    private var tokenCount = 0

    init(lifetime: Duration) {
        self.lifetime = lifetime
    }

    mutating func add(_ email: String, _ password: String) -> String {
        let id = "user-\(accounts.count + 1)"
        accounts.append(Account(id: id, email: email.lowercased(), password: password))
        return id
    }

    mutating func disable(_ id: String) {
        for index in accounts.indices where accounts[index].id == id { accounts[index].isDisabled = true }
    }

    /// Expires all ID tokens.
    mutating func expireTokens() {
        for token in idTokens.keys { idTokens[token]?.expires = .distantPast }
    }

    /// Revokes all refresh tokens.
    mutating func revokeRefreshTokens() { refreshTokens = [:] }

    func tokenStatus(_ token: String?, at now: Date) -> TokenStatus {
        guard let token else { return .valid(nil) }
        guard let known = idTokens[token] else { return .unknown }
        return known.expires > now ? .valid(known.user) : .expired
    }

    // MARK: Routes

    mutating func respond(to request: FirebaseRequest, at now: Date) -> FirebaseResponse {
        guard request.method == "POST" else { return .serviceError(.methodNotAllowed, "METHOD_NOT_ALLOWED") }
        guard request.query["key"]?.isEmpty == false else { return .serviceError(.forbidden, "The request is missing a valid API key.") }
        let body = (try? JSONValue(json: request.body)) ?? .null
        switch request.path {
        case "identitytoolkit.googleapis.com/v1/accounts:signInWithPassword": return signIn(body, at: now)
        case "identitytoolkit.googleapis.com/v1/accounts:signUp": return signUp(body, at: now)
        case "securetoken.googleapis.com/v1/token": return refresh(request, at: now)
        default: return .serviceError(.notFound, "NOT_FOUND")
        }
    }

    private mutating func signIn(_ body: JSONValue, at now: Date) -> FirebaseResponse {
        guard let email = body["email"]?.string?.lowercased() else { return .serviceError(.badRequest, "MISSING_EMAIL") }
        guard email.contains("@") else { return .serviceError(.badRequest, "INVALID_EMAIL") }
        guard let password = body["password"]?.string, !password.isEmpty else { return .serviceError(.badRequest, "MISSING_PASSWORD") }
        guard let account = accounts.first(where: { $0.email == email }) else { return .serviceError(.badRequest, "EMAIL_NOT_FOUND") }
        guard account.password == password else { return .serviceError(.badRequest, "INVALID_PASSWORD") }
        guard !account.isDisabled else { return .serviceError(.badRequest, "USER_DISABLED") }
        return signInResponse(for: account, at: now)
    }

    private mutating func signUp(_ body: JSONValue, at now: Date) -> FirebaseResponse {
        guard let email = body["email"]?.string?.lowercased(), email.contains("@") else {
            return .serviceError(.badRequest, "INVALID_EMAIL")
        }
        guard !accounts.contains(where: { $0.email == email }) else { return .serviceError(.badRequest, "EMAIL_EXISTS") }
        guard let password = body["password"]?.string, password.count >= Self.minimumPasswordLength else {
            return .serviceError(.badRequest, "WEAK_PASSWORD : Password should be at least 6 characters")
        }
        _ = add(email, password)
        return signInResponse(for: accounts[accounts.count - 1], at: now)
    }

    private mutating func signInResponse(for account: Account, at now: Date) -> FirebaseResponse {
        let refreshToken = makeToken("refresh", account.id)
        refreshTokens[refreshToken] = account.id
        return .json([
            "localId": .string(account.id), "email": .string(account.email), "idToken": .string(makeIDToken(account.id, at: now)),
            "refreshToken": .string(refreshToken), "expiresIn": .string(seconds), "registered": true,
        ])
    }

    private mutating func refresh(_ request: FirebaseRequest, at now: Date) -> FirebaseResponse {
        let form = FirebaseRequest(
            ReceivedRequest(method: "GET", target: "/?" + String(decoding: request.body, as: UTF8.self), fields: []))
        guard form.query["grant_type"] == "refresh_token" else { return .serviceError(.badRequest, "INVALID_GRANT_TYPE") }
        guard let token = form.query["refresh_token"] else { return .serviceError(.badRequest, "MISSING_REFRESH_TOKEN") }
        guard let user = refreshTokens[token] else { return .serviceError(.badRequest, "INVALID_REFRESH_TOKEN") }
        guard !accounts.contains(where: { $0.id == user && $0.isDisabled }) else { return .serviceError(.badRequest, "USER_DISABLED") }
        refreshCount += 1
        return .json([
            "id_token": .string(makeIDToken(user, at: now)), "refresh_token": .string(token), "expires_in": .string(seconds),
            "token_type": "Bearer", "user_id": .string(user), "project_id": "1",
        ])
    }

    private var seconds: String { "\(Int(lifetime / .seconds(1)))" }

    private mutating func makeIDToken(_ user: String, at now: Date) -> String {
        let token = makeToken("id", user)
        idTokens[token] = (user, now.addingTimeInterval(lifetime / .seconds(1)))
        return token
    }

    private mutating func makeToken(_ kind: String, _ user: String) -> String {
        tokenCount += 1
        return "\(kind)-token-\(tokenCount)-of-\(user)"
    }
}
