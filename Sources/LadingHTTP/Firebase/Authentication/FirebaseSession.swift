import Synchronization

/// Somebody who is signed in, with a token that can be renewed.
final class FirebaseSession: Sendable {
    private let kept: Mutex<FirebaseCredential>
    private let renew: @Sendable (FirebaseSession) async throws -> FirebaseCredential
    /// What hands out the ID token; made with the first use, because it renews by way of this session.
    private let source = Mutex<TokenSource?>(nil)

    init(_ credential: FirebaseCredential, renew: @escaping @Sendable (FirebaseSession) async throws -> FirebaseCredential) {
        kept = Mutex(credential)
        self.renew = renew
    }

    var credential: FirebaseCredential {
        get { kept.withLock { $0 } }
        set { kept.withLock { $0 = newValue } }
    }

    var tokens: TokenSource {
        source.withLock { source in
            if let source { return source }
            let made = TokenSource(credential.idToken) { [weak self] _ in
                guard let self else { throw CancellationError() }
                return try await renew(self).idToken
            }
            source = made
            return made
        }
    }
}
