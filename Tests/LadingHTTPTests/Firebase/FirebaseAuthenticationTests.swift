import Foundation
import HTTPTypes
import LadingHTTP
import LadingTesting
import Synchronization
import Testing

extension URLSessionTests {
    @Suite struct FirebaseAuthenticationTests {
        private let stage: FirebaseStage

        init() throws {
            stage = try FirebaseStage()
        }

        private func code(_ body: () async throws -> Void) async -> FirebaseAuthentication.Code? {
            do { try await body() } catch FirebaseAuthentication.Failure.refused(let code, _) { return code } catch {}
            return nil
        }

        @Test func `Whoever signs in has a credential, and it is told to be kept`() async throws {
            let credential = try await stage.authentication.signIn(email: FirebaseStage.email, password: FirebaseStage.password)

            #expect(credential.userID == "user-1" && credential.email == FirebaseStage.email)
            #expect(credential.expires == stage.time.now.addingTimeInterval(3_600))
            #expect(stage.kept.all == [credential] && stage.authentication.credential == credential)
        }

        @Test func `The server's code says what is wrong`() async throws {
            let (authentication, password) = (stage.authentication, FirebaseStage.password)

            #expect(await code { try await authentication.signIn(email: "eve@example.org", password: password) } == .emailNotFound)
            #expect(await code { try await authentication.signIn(email: FirebaseStage.email, password: "wrong") } == .invalidPassword)
            #expect(await code { try await authentication.signIn(email: "ada", password: password) } == .invalidEmail)
            #expect(await code { try await authentication.signUp(email: FirebaseStage.email, password: password) } == .emailExists)
            stage.server.disableUser("user-1")
            #expect(await code { try await authentication.signIn(email: FirebaseStage.email, password: password) } == .userDisabled)
            #expect(authentication.credential == nil && stage.kept.all.isEmpty)
        }

        @Test func `What the server adds to its code is kept`() async throws {
            await #expect { try await stage.authentication.signUp(email: "eve@example.org", password: "short") } throws: { error in
                guard case FirebaseAuthentication.Failure.refused(.weakPassword, let detail) = error else { return false }
                return detail == "Password should be at least 6 characters"
            }
        }

        @Test func `Whoever signs up is signed in`() async throws {
            try await stage.authentication.signUp(email: "eve@example.org", password: "long enough")

            #expect(stage.authentication.credential?.userID == "user-2")
            #expect(try await stage.authentication.idToken() == stage.authentication.credential?.idToken)
        }

        @Test func `A failure that may pass can be told from a refusal`() async throws {
            stage.server.fail(.serviceUnavailable)

            await #expect { try await stage.signIn() } throws: { error in
                if case BackendError.status(503, _, _) = error { true } else { false }
            }
        }

        @Test func `A token is renewed shortly before it expires, once for all who need it`() async throws {
            try await stage.signIn()
            let first = try await stage.authentication.idToken()
            stage.time.advance(by: 3_301)

            let tokens = try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<20 { group.addTask { try await stage.authentication.idToken() } }
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }

            #expect(tokens.count == 1 && !tokens.contains(first) && stage.server.renewals == 1)
            #expect(stage.kept.all.last??.idToken == tokens.first)
            #expect(stage.authentication.credential?.expires == stage.time.now.addingTimeInterval(3_600))
        }

        @Test func `A token that is good still does while it cannot be renewed`() async throws {
            try await stage.signIn()
            let first = try await stage.authentication.idToken()
            stage.server.revokeRefreshTokens()

            stage.time.advance(by: 3_400)
            #expect(try await stage.authentication.idToken() == first)

            stage.time.advance(by: 200)
            #expect(await code { _ = try await stage.authentication.idToken() } == .invalidRefreshToken)
        }

        @Test func `A credential that was kept goes on in the next run`() async throws {
            try await stage.signIn()
            let data = try JSONEncoder().encode(try #require(stage.authentication.credential))
            stage.time.advance(by: 86_400)
            let next = FirebaseAuthentication(
                stage.server.project, client: stage.client, credential: try JSONDecoder().decode(FirebaseCredential.self, from: data),
                now: { [time = stage.time] in time.now })

            let token = try await next.idToken()

            #expect(stage.server.renewals == 1 && next.credential?.idToken == token)
        }

        @Test func `Whoever has signed out is nobody`() async throws {
            try await stage.signIn()

            stage.authentication.signOut()
            stage.authentication.signOut()

            await #expect { try await stage.authentication.idToken() } throws: { error in
                if case FirebaseAuthentication.Failure.notSignedIn = error { true } else { false }
            }
            #expect(stage.kept.all.count == 2 && stage.kept.all.last == .some(nil))
        }

        @Test func `Changes are told in their order, whoever makes one while another is told`() async throws {
            let (kept, box) = (KeptCredentials(), AuthenticationBox())
            let time = stage.time
            let authentication = FirebaseAuthentication(stage.server.project, client: stage.client, now: { time.now }) { credential in
                if credential != nil { box.authentication?.signOut() }
                kept.note(credential)
            }
            box.fill(authentication)

            let credential = try await authentication.signIn(email: FirebaseStage.email, password: FirebaseStage.password)

            #expect(kept.all == [credential, nil])
            #expect(authentication.credential == nil)
        }

        @Test func `A token that was refused is not replaced with that of somebody else`() async throws {
            try await stage.signIn()
            let refused = try await stage.authentication.idToken()
            try await stage.authentication.signUp(email: "eve@example.org", password: "long enough")

            await #expect { try await stage.authentication.idToken(insteadOf: refused) } throws: { error in
                if case FirebaseAuthentication.Failure.notSignedIn = error { true } else { false }
            }
            #expect(stage.server.renewals == 0)
        }

        @Test func `No text of a credential shows a token`() async throws {
            try await stage.signIn()
            let credential = try #require(stage.authentication.credential)
            var dumped = ""
            dump(credential, to: &dumped)

            for text in ["\(credential)", String(reflecting: credential), String(describing: Optional(credential)), dumped] {
                #expect(!text.contains("token-") && text.contains("user-1"))
            }
        }

        @Test func `Passwords and tokens are in no recording`() async throws {
            let directory = try TemporaryDirectory()
            let folder = directory.url.appending(path: "recording")
            let stage = try FirebaseStage(executor: RecordingExecutor(URLSessionExecutor(), in: folder))
            try await stage.signIn()
            stage.time.advance(by: 3_600)
            try await stage.database.root.put("milk")
            let receipt = directory.url.appending(path: "milk.jpg")
            try Data("JPEG".utf8).write(to: receipt)
            try await stage.storage.reference("milk.jpg").upload(receipt)

            let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path).map { folder.appending(path: $0) }
            let texts = files.compactMap { try? String(contentsOf: $0, encoding: .utf8) }

            #expect(texts.contains { $0.contains("milk") })
            #expect(!texts.contains { $0.contains("token-") || $0.contains("upload-") || $0.contains(FirebaseStage.password) })
        }
    }
}

/// Holds what is made after the closure that needs it.
private final class AuthenticationBox: Sendable {
    private let state = Mutex<FirebaseAuthentication?>(nil)

    var authentication: FirebaseAuthentication? { state.withLock { $0 } }

    func fill(_ authentication: FirebaseAuthentication) { state.withLock { $0 = authentication } }
}
