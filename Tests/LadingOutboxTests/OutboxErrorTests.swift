import Foundation
import LadingHTTP
import LadingOutbox
import LadingTesting
import Testing

@Suite struct OutboxErrorTests {
    private enum Case: CaseIterable {
        case full, tooLarge, containsSecret, keyReused, diskFull

        init(_ error: OutboxError) {
            self =
                switch error {
                case .full: .full
                case .tooLarge: .tooLarge
                case .containsSecret: .containsSecret
                case .keyReused: .keyReused
                case .diskFull: .diskFull
                }
        }
    }

    private static let sentences = ErrorSentences<OutboxError>([
        (.full(limit: 1_000), "the limit of 1000 pending changes is reached: retry when some have been sent"),
        (.tooLarge(limit: 8 << 20), "the change exceeds the limit of 8 MB"),
        (.containsSecret("Authorization"), "Authorization contains a secret, which must not be stored: add it in an interceptor"),
        (.keyReused(IdempotencyKey(rawValue: "7f3a")!), "the key 7f3a is already used by another change: create another key"),
        (.diskFull, "the disk is full and the change cannot be stored: free up space"),
    ])

    @Test func `Both descriptions of each case are one sentence`() {
        #expect(Self.sentences.differences == [])
        #expect(Self.sentences.missingCases { Case($0) } == [])
    }
}
