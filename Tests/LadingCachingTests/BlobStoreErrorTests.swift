import Foundation
import LadingCaching
import LadingTesting
import Testing

@Suite struct BlobStoreErrorTests {
    private enum Case: CaseIterable {
        case corrupt, tooLong, noRoom, writerEnded

        init(_ error: BlobStoreError) {
            self =
                switch error {
                case .corrupt: .corrupt
                case .tooLong: .tooLong
                case .noRoom: .noRoom
                case .writerEnded: .writerEnded
                }
        }
    }

    private static let key = BlobKey(group: "https://a.org/1?token=abcdefgh")

    private static let sentences = ErrorSentences<BlobStoreError>([
        (.corrupt(key), "a stored body is damaged and was removed: load it again"),
        (.tooLong(key, limit: 8 << 20), "the body exceeds the limit of 8 MB for a body"),
        (.noRoom(key), "the disk is full and the body cannot be stored: free up space"),
        (.writerEnded(key), "the writer has already finished or failed: write the body with another writer"),
    ])

    @Test func `Both descriptions of each case are one sentence`() {
        #expect(Self.sentences.differences == [])
        #expect(Self.sentences.missingCases { Case($0) } == [])
    }
}
