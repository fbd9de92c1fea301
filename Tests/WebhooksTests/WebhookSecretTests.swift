import FilePermissions
import Foundation
import TemporaryFolders
import Testing

@testable import Webhooks

@Suite("Webhook secret")
struct WebhookSecretTests {
    /// The key, the message and the signature of the test vector of Standard Webhooks.
    @Test func `The signature is that of Standard Webhooks`() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appending(path: "secret")
            try Data("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\n".utf8).write(to: file)

            let signature = try WebhookSecret(in: file).signature(
                of: Array(#"{"test": 2432232314}"#.utf8), id: "msg_p5jXN8AQM9LWM0D4loKWxJek", timestamp: 1_614_265_330)

            #expect(signature == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
        }
    }

    @Test func `A missing secret is created, readable by its owner alone, and stays`() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appending(path: "data/webhook-secret")

            let first = try WebhookSecret.stored(in: file).signature(of: [1], id: "1", timestamp: 0)
            let second = try WebhookSecret.stored(in: file).signature(of: [1], id: "1", timestamp: 0)
            let text = try String(contentsOf: file, encoding: .utf8)

            #expect(first == second && first != WebhookFixture.secret.signature(of: [1], id: "1", timestamp: 0))
            #expect(text.hasPrefix("whsec_") && text.count == 51)
            #expect(!PrivateFiles.isShared(file))
        }
    }

    @Test func `The draft of a program that was killed is replaced`() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appending(path: "webhook-secret")
            try Data("whsec_MfKQ9r8".utf8).write(to: folder.appending(path: "webhook-secret.new"))

            _ = try WebhookSecret.stored(in: file)

            #expect(try String(contentsOf: file, encoding: .utf8).count == 51)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["webhook-secret"])
        }
    }

    @Test(arguments: ["", "short", "whsec_MfKQ", "whsec_***************************"])
    func `A short or invalid secret is refused`(_ text: String) async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appending(path: "secret")
            try Data(text.utf8).write(to: file)

            #expect(throws: WebhookSecret.Failure.tooShort(file.path)) { try WebhookSecret(in: file) }
            #expect(throws: WebhookSecret.Failure.unreadable(file.path + "-none")) {
                try WebhookSecret(in: URL(filePath: file.path + "-none"))
            }
        }
    }
}
