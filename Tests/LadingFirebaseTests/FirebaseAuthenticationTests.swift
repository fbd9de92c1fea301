import Foundation
import HTTPTypes
import LadingFirebase
import LadingFirebaseTesting
import LadingHTTP
import LadingRecording
import LadingTesting
import Synchronization
import Testing
import TemporaryFolders

extension URLSessionTests {
    @Suite struct FirebaseAuthenticationTests {
        private let fixture: FirebaseFixture

        init() throws {
            fixture = try FirebaseFixture()
        }

        private func code(_ body: () async throws -> Void) async -> FirebaseAuthentication.Code? {
            do { try await body() } catch FirebaseAuthentication.Failure.refused(let code, _) { return code } catch {}
            return nil
        }

        @Test func `Signing in returns a credential and reports it to onChange`() async throws {
            let credential = try await fixture.authentication.signIn(email: FirebaseFixture.email, password: FirebaseFixture.password)

            #expect(credential.userID == "user-1" && credential.email == FirebaseFixture.email)
            #expect(credential.expires == fixture.time.now.addingTimeInterval(3_600))
            #expect(fixture.credentialLog.all == [credential] && fixture.authentication.credential == credential)
        }

        @Test func `A refusal carries the error code of the server`() async throws {
            let (authentication, password) = (fixture.authentication, FirebaseFixture.password)

            #expect(await code { try await authentication.signIn(email: "eve@example.org", password: password) } == .emailNotFound)
            #expect(await code { try await authentication.signIn(email: FirebaseFixture.email, password: "wrong") } == .invalidPassword)
            #expect(await code { try await authentication.signIn(email: "ada", password: password) } == .invalidEmail)
            #expect(await code { try await authentication.signUp(email: FirebaseFixture.email, password: password) } == .emailExists)
            fixture.server.disableUser("user-1")
            #expect(await code { try await authentication.signIn(email: FirebaseFixture.email, password: password) } == .userDisabled)
            #expect(authentication.credential == nil && fixture.credentialLog.all.isEmpty)
        }

        @Test func `A refusal carries the detail of the server`() async throws {
            await #expect { try await fixture.authentication.signUp(email: "eve@example.org", password: "short") } throws: { error in
                guard case FirebaseAuthentication.Failure.refused(.weakPassword, let detail) = error else { return false }
                return detail == "Password should be at least 6 characters"
            }
        }

        @Test func `Signing up signs the user in`() async throws {
            try await fixture.authentication.signUp(email: "eve@example.org", password: "long enough")

            #expect(fixture.authentication.credential?.userID == "user-2")
            #expect(try await fixture.authentication.idToken() == fixture.authentication.credential?.idToken)
        }

        @Test func `A transient failure is distinguishable from a refusal, and contains no body`() async throws {
            fixture.server.failNextRequests(with: .serviceUnavailable)

            await #expect { try await fixture.signIn() } throws: { error in
                if case BackendError.status(503, _, let response) = error { response.body.isEmpty } else { false }
            }
        }

        @Test func `A token is refreshed once for all callers shortly before it expires`() async throws {
            try await fixture.signIn()
            let first = try await fixture.authentication.idToken()
            fixture.time.advance(by: 3_301)

            let tokens = try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<20 { group.addTask { try await fixture.authentication.idToken() } }
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }

            #expect(tokens.count == 1 && !tokens.contains(first) && fixture.server.tokenRefreshCount == 1)
            #expect(fixture.credentialLog.all.last??.idToken == tokens.first)
            #expect(fixture.authentication.credential?.expires == fixture.time.now.addingTimeInterval(3_600))
        }

        @Test func `A valid token is used while it cannot be refreshed`() async throws {
            try await fixture.signIn()
            let first = try await fixture.authentication.idToken()
            fixture.server.revokeRefreshTokens()

            fixture.time.advance(by: 3_400)
            #expect(try await fixture.authentication.idToken() == first)

            fixture.time.advance(by: 200)
            #expect(await code { _ = try await fixture.authentication.idToken() } == .invalidRefreshToken)
        }

        @Test func `A stored credential can be used in the next run`() async throws {
            try await fixture.signIn()
            let data = try JSONEncoder().encode(try #require(fixture.authentication.credential))
            fixture.time.advance(by: 86_400)
            let next = FirebaseAuthentication(
                fixture.server.project, client: fixture.client, credential: try JSONDecoder().decode(FirebaseCredential.self, from: data),
                now: { [time = fixture.time] in time.now })

            let token = try await next.idToken()

            #expect(fixture.server.tokenRefreshCount == 1 && next.credential?.idToken == token)
        }

        @Test func `The credential of a sign-in by other means is used and refreshed`() async throws {
            let response = try await fixture.authentication.signIn(email: FirebaseFixture.email, password: FirebaseFixture.password)
            let credential = FirebaseCredential(
                userID: response.userID, email: nil, idToken: response.idToken, refreshToken: response.refreshToken,
                expires: fixture.time.now.addingTimeInterval(3_600))
            let authentication = FirebaseAuthentication(
                fixture.server.project, client: fixture.client, credential: credential, now: { [time = fixture.time] in time.now })

            #expect(try await authentication.idToken() == response.idToken)
            fixture.time.advance(by: 3_600)
            let token = try await authentication.idToken()
            #expect(token != response.idToken && authentication.credential?.idToken == token)
            #expect(authentication.credential?.userID == "user-1" && fixture.server.tokenRefreshCount == 1)
        }

        @Test func `After signing out no token is available`() async throws {
            try await fixture.signIn()

            fixture.authentication.signOut()
            fixture.authentication.signOut()

            await #expect { try await fixture.authentication.idToken() } throws: { error in
                if case FirebaseAuthentication.Failure.notSignedIn = error { true } else { false }
            }
            #expect(fixture.credentialLog.all.count == 2 && fixture.credentialLog.all.last == .some(nil))
        }

        @Test func `A sign-in in progress does not undo a sign-out`() async throws {
            let gate = Gate()
            let fixture = try FirebaseFixture(executor: FirstDelayedExecutor(gate: gate))
            let signIn = Task { try await fixture.signIn() }
            await gate.waitForWaiters(count: 1)

            fixture.authentication.signOut()
            gate.open()

            await #expect(throws: CancellationError.self) { try await signIn.value }
            #expect(fixture.authentication.credential == nil && fixture.credentialLog.all.isEmpty)
        }

        @Test func `A sign-in in progress does not replace a later one`() async throws {
            let gate = Gate()
            let fixture = try FirebaseFixture(executor: FirstDelayedExecutor(gate: gate))
            let first = Task { try await fixture.signIn() }
            await gate.waitForWaiters(count: 1)

            let second = try await fixture.authentication.signUp(email: "eve@example.org", password: "long enough")
            gate.open()

            await #expect(throws: CancellationError.self) { try await first.value }
            #expect(fixture.authentication.credential == second && fixture.credentialLog.all == [second])
        }

        @Test func `Credential changes are reported in order, also when a callback makes one`() async throws {
            let (log, box) = (CredentialLog(), AuthenticationBox())
            let time = fixture.time
            let authentication = FirebaseAuthentication(fixture.server.project, client: fixture.client, now: { time.now }) { credential in
                if credential != nil { box.authentication?.signOut() }
                log.append(credential)
            }
            box.fill(authentication)

            let credential = try await authentication.signIn(email: FirebaseFixture.email, password: FirebaseFixture.password)

            #expect(log.all == [credential, nil])
            #expect(authentication.credential == nil)
        }

        @Test func `A rejected token is not replaced with the token of another user`() async throws {
            try await fixture.signIn()
            let refused = try await fixture.authentication.idToken()
            try await fixture.authentication.signUp(email: "eve@example.org", password: "long enough")

            await #expect { try await fixture.authentication.idToken(replacing: refused) } throws: { error in
                if case FirebaseAuthentication.Failure.notSignedIn = error { true } else { false }
            }
            #expect(fixture.server.tokenRefreshCount == 0)
        }

        @Test func `The text of a credential does not reveal its tokens`() async throws {
            try await fixture.signIn()
            let credential = try #require(fixture.authentication.credential)
            var dumped = ""
            dump(credential, to: &dumped)

            for text in ["\(credential)", String(reflecting: credential), String(describing: Optional(credential)), dumped] {
                #expect(!text.contains("token-") && text.contains("user-1"))
            }
        }

        @Test func `Recordings contain no passwords and no tokens`() async throws {
            let directory = try TemporaryFolder()
            let folder = directory.url.appending(path: "recording")
            let fixture = try FirebaseFixture(executor: RecordingExecutor(URLSessionExecutor(), in: folder))
            try await fixture.signIn()
            fixture.time.advance(by: 3_600)
            try await fixture.database.root.put("milk")
            let receipt = directory.url.appending(path: "milk.jpg")
            try Data("JPEG".utf8).write(to: receipt)
            try await fixture.storage.reference("milk.jpg").upload(receipt)

            let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path).map { folder.appending(path: $0) }
            let texts = files.compactMap { try? String(contentsOf: $0, encoding: .utf8) }

            #expect(texts.contains { $0.contains("milk") })
            #expect(!texts.contains { $0.contains("token-") || $0.contains("upload-") || $0.contains(FirebaseFixture.password) })
        }
    }
}

/// An executor whose first request waits at a gate.
private final class FirstDelayedExecutor: BackendExecutor {
    private let executor = URLSessionExecutor()
    private let gate: Gate
    private let isFirst = Mutex(true)

    init(gate: Gate) {
        self.gate = gate
    }

    func execute<Outcome: Sendable>(
        _ message: RequestMessage, timeLimit: Duration, receive: (ResponseHead, ResponseBody) async throws -> Outcome
    ) async throws -> Outcome {
        let isFirst = isFirst.withLock { isFirst in
            defer { isFirst = false }
            return isFirst
        }
        if isFirst { try await gate.wait() }
        return try await executor.execute(message, timeLimit: timeLimit, receive: receive)
    }
}

/// A box for an instance that is created after the closure that uses it.
private final class AuthenticationBox: Sendable {
    private let state = Mutex<FirebaseAuthentication?>(nil)

    var authentication: FirebaseAuthentication? { state.withLock { $0 } }

    func fill(_ authentication: FirebaseAuthentication) { state.withLock { $0 = authentication } }
}
