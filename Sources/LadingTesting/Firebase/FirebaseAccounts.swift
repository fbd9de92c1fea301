import Foundation
import HTTPTypes
import LadingHTTP

/// The accounts of a `FirebaseServer`: `accounts:signInWithPassword`, `accounts:signUp` and `token`.
struct FirebaseAccounts {
    private struct Account {
        var id: String
        var email: String
        var password: String
        var isDisabled = false
    }

    /// What became of an ID token.
    enum Verdict: Equatable {
        /// It is that of this user; nil when there is none, and nobody asks.
        case good(String?)
        case expired
        case unknown
    }

    private static let shortestPassword = 6

    let lifetime: Duration
    private(set) var renewals = 0
    private var accounts: [Account] = []
    private var idTokens: [String: (user: String, expires: Date)] = [:]
    private var refreshTokens: [String: String] = [:]
    private var tokensSoFar = 0

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

    /// ID tokens are no longer good, whatever their time.
    mutating func expireTokens() {
        for token in idTokens.keys { idTokens[token]?.expires = .distantPast }
    }

    /// Refresh tokens are no longer good.
    mutating func revokeRefreshTokens() { refreshTokens = [:] }

    func verdict(_ token: String?, at now: Date) -> Verdict {
        guard let token else { return .good(nil) }
        guard let known = idTokens[token] else { return .unknown }
        return known.expires > now ? .good(known.user) : .expired
    }

    // MARK: Routes

    mutating func answer(_ question: FirebaseQuestion, at now: Date) -> FirebaseAnswer {
        guard question.method == "POST" else { return .problem(.methodNotAllowed, "METHOD_NOT_ALLOWED") }
        guard question.query["key"]?.isEmpty == false else { return .problem(.forbidden, "The request is missing a valid API key.") }
        let wish = (try? JSONValue(json: question.body)) ?? .null
        switch question.path {
        case "identitytoolkit.googleapis.com/v1/accounts:signInWithPassword": return signIn(wish, at: now)
        case "identitytoolkit.googleapis.com/v1/accounts:signUp": return signUp(wish, at: now)
        case "securetoken.googleapis.com/v1/token": return renew(question, at: now)
        default: return .problem(.notFound, "NOT_FOUND")
        }
    }

    private mutating func signIn(_ wish: JSONValue, at now: Date) -> FirebaseAnswer {
        guard let email = wish["email"]?.string?.lowercased() else { return .problem(.badRequest, "MISSING_EMAIL") }
        guard email.contains("@") else { return .problem(.badRequest, "INVALID_EMAIL") }
        guard let password = wish["password"]?.string, !password.isEmpty else { return .problem(.badRequest, "MISSING_PASSWORD") }
        guard let account = accounts.first(where: { $0.email == email }) else { return .problem(.badRequest, "EMAIL_NOT_FOUND") }
        guard account.password == password else { return .problem(.badRequest, "INVALID_PASSWORD") }
        guard !account.isDisabled else { return .problem(.badRequest, "USER_DISABLED") }
        return admit(account, at: now)
    }

    private mutating func signUp(_ wish: JSONValue, at now: Date) -> FirebaseAnswer {
        guard let email = wish["email"]?.string?.lowercased(), email.contains("@") else { return .problem(.badRequest, "INVALID_EMAIL") }
        guard !accounts.contains(where: { $0.email == email }) else { return .problem(.badRequest, "EMAIL_EXISTS") }
        guard let password = wish["password"]?.string, password.count >= Self.shortestPassword else {
            return .problem(.badRequest, "WEAK_PASSWORD : Password should be at least 6 characters")
        }
        _ = add(email, password)
        return admit(accounts[accounts.count - 1], at: now)
    }

    private mutating func admit(_ account: Account, at now: Date) -> FirebaseAnswer {
        let refreshToken = makeToken("refresh", account.id)
        refreshTokens[refreshToken] = account.id
        return .json([
            "localId": .string(account.id), "email": .string(account.email), "idToken": .string(makeIDToken(account.id, at: now)),
            "refreshToken": .string(refreshToken), "expiresIn": .string(seconds), "registered": true,
        ])
    }

    private mutating func renew(_ question: FirebaseQuestion, at now: Date) -> FirebaseAnswer {
        let form = FirebaseQuestion(
            ReceivedRequest(method: "GET", target: "/?" + String(decoding: question.body, as: UTF8.self), fields: []))
        guard form.query["grant_type"] == "refresh_token" else { return .problem(.badRequest, "INVALID_GRANT_TYPE") }
        guard let token = form.query["refresh_token"] else { return .problem(.badRequest, "MISSING_REFRESH_TOKEN") }
        guard let user = refreshTokens[token] else { return .problem(.badRequest, "INVALID_REFRESH_TOKEN") }
        guard !accounts.contains(where: { $0.id == user && $0.isDisabled }) else { return .problem(.badRequest, "USER_DISABLED") }
        renewals += 1
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
        tokensSoFar += 1
        return "\(kind)-token-\(tokensSoFar)-of-\(user)"
    }
}
