import LadingHTTP
import Synchronization

/// A signed-in user whose ID token can be refreshed.
final class FirebaseSession: Sendable {
    /// The number of ID tokens that are recognized when a service rejects them.
    private static let historyLimit = 8

    private struct State {
        var credential: FirebaseCredential
        /// The issued tokens, newest last.
        var history: [String]
    }

    private let state: Mutex<State>
    private let refresh: @Sendable (FirebaseSession) async throws -> FirebaseCredential
    /// The source of ID tokens, created on first use because it refreshes through this session.
    private let source = Mutex<TokenSource?>(nil)

    init(_ credential: FirebaseCredential, refresh: @escaping @Sendable (FirebaseSession) async throws -> FirebaseCredential) {
        state = Mutex(State(credential: credential, history: [credential.idToken]))
        self.refresh = refresh
    }

    var credential: FirebaseCredential { state.withLock { $0.credential } }

    /// Whether this session issued a token. A token of another user is not replaced with one of this session.
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
