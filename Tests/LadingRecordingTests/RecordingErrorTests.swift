import Foundation
import LadingRecording
import LadingTesting
import Testing

@Suite struct RecordingErrorTests {
    private enum Case: CaseIterable {
        case noRecording, writeFailed, readFailed, corrupt, unknownFormat, truncated, tooMany

        init(_ error: RecordingError) {
            self =
                switch error {
                case .noRecording: .noRecording
                case .writeFailed: .writeFailed
                case .readFailed: .readFailed
                case .corrupt: .corrupt
                case .unknownFormat: .unknownFormat
                case .truncated: .truncated
                case .tooMany: .tooMany
                }
        }
    }

    private static let file = URL(filePath: "/tapes/0001")

    private static let sentences = ErrorSentences<RecordingError>([
        (
            .noRecording(method: "GET", url: "https://a.org/1?token=abcdefgh"),
            "no recorded response for GET https://a.org/1?token=REDACTED: record it first"
        ),
        (.writeFailed(file, cause: POSIXError(.ENOSPC)), "cannot write the recording /tapes/0001: No space left on device"),
        (.readFailed(file, cause: POSIXError(.ENOENT)), "cannot read the recording /tapes/0001: No such file or directory"),
        (
            .corrupt(file, reason: "the checksum of the body does not match"),
            "the recording /tapes/0001 is damaged (the checksum of the body does not match): record again"
        ),
        (.unknownFormat(file, 2), "the recording /tapes/0001 has the newer format 2: update this program"),
        (
            .truncated(url: "https://a.org/1"),
            "the recorded response of https://a.org/1 is incomplete, because its client stopped reading: record again"
        ),
        (.tooMany(URL(filePath: "/tapes"), limit: 10_000), "/tapes has more than 10000 recordings: choose another directory"),
    ])

    @Test func `Both descriptions of each case are one sentence`() {
        #expect(Self.sentences.differences == [])
        #expect(Self.sentences.missingCases { Case($0) } == [])
    }
}
