import Foundation
import LadingCaching
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

    private static let sentences: [(BlobStoreError, String)] = [
        (.corrupt(key), "a stored body is damaged and was removed: load it again"),
        (.tooLong(key, limit: 8 << 20), "the body exceeds the limit of 8 MB for a body"),
        (.noRoom(key), "the disk is full and the body cannot be stored: free up space"),
        (.writerEnded(key), "the writer has already finished or failed: write the body with another writer"),
    ]

    @Test(arguments: sentences.indices) func `Both descriptions of an error are one sentence`(index: Int) {
        let (error, sentence) = Self.sentences[index]

        #expect("\(error)" == sentence)
        #expect(error.localizedDescription == sentence)
    }

    @Test func `Every case has a sentence`() {
        #expect(Set(Self.sentences.map { Case($0.0) }) == Set(Case.allCases))
    }
}
