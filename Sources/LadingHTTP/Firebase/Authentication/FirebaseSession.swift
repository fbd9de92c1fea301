import Synchronization

/// Somebody who is signed in, with a token that can be renewed.
final class FirebaseSession: Sendable {
    /// How many ID tokens are known again when a service refuses them.
    private static let historyLimit = 8

    private struct State {
        var credential: FirebaseCredential
        /// The tokens that were handed out, the newest last.
        var history: [String]
    }

    private let state: Mutex<State>
    private let refresh: @Sendable (FirebaseSession) async throws -> FirebaseCredential
    /// What hands out the ID token; made with the first use, because it renews by way of this session.
    private let source = Mutex<TokenSource?>(nil)

    init(_ credential: FirebaseCredential, refresh: @escaping @Sendable (FirebaseSession) async throws -> FirebaseCredential) {
        state = Mutex(State(credential: credential, history: [credential.idToken]))
        self.refresh = refresh
    }

    var credential: FirebaseCredential { state.withLock { $0.credential } }

    /// Whether it was this one who had a token; that of somebody else is not replaced with his.
    func hasIssued(_ token: String) -> Bool { state.withLock { $0.history.contains(token) } }

    func update(_ credential: FirebaseCredential) {
        state.withLock { state in
            state.credential = credential
            state.history = state.history.suffix(Self.historyLimit - 1) + [credential.idToken]
        }
    }

    var tokens: TokenSource {
        source.withLock { source in
            if let source { return source }
            let made = TokenSource(credential.idToken) { [weak self] _ in
                guard let self else { throw CancellationError() }
                return try await refresh(self).idToken
            }
            source = made
            return made
        }
    }
}
