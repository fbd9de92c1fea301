import Foundation
import LadingTesting
import LadingTransfers
import Testing

@Suite struct TransferErrorTests {
    private enum Case: CaseIterable {
        case targetExists, targetNotWritable, targetFolderMissing, diskFull, lengthMismatch, partFileInUse, sourceUnreadable, sourceChanged
        case expired, unsupportedContentCoding, inconsistentResponse, digestMismatch, unexpectedContent, unsupportedDigest, tooLarge
        case failedBefore, unknownTransfer, journalInUse

        init(_ error: TransferError) {
            self =
                switch error {
                case .targetExists: .targetExists
                case .targetNotWritable: .targetNotWritable
                case .targetFolderMissing: .targetFolderMissing
                case .diskFull: .diskFull
                case .lengthMismatch: .lengthMismatch
                case .partFileInUse: .partFileInUse
                case .sourceUnreadable: .sourceUnreadable
                case .sourceChanged: .sourceChanged
                case .expired: .expired
                case .unsupportedContentCoding: .unsupportedContentCoding
                case .inconsistentResponse: .inconsistentResponse
                case .digestMismatch: .digestMismatch
                case .unexpectedContent: .unexpectedContent
                case .unsupportedDigest: .unsupportedDigest
                case .tooLarge: .tooLarge
                case .failedBefore: .failedBefore
                case .unknownTransfer: .unknownTransfer
                case .journalInUse: .journalInUse
                }
        }
    }

    private static let file = URL(filePath: "/data/5.bin")
    private static let url = URL(string: "https://user:pw@a.org/5.bin?token=abcdefgh")!

    private static let sentences = ErrorSentences<TransferError>([
        (.targetExists(file), "/data/5.bin already exists: move it, or choose another name"),
        (
            .targetNotWritable(file, cause: POSIXError(.EACCES)),
            "cannot write /data/5.bin (Permission denied): make its folder writable, or choose another"
        ),
        (.targetFolderMissing(file), "no folder /data: create it, or choose another"),
        (.diskFull(file, needed: 5_000_000), "the disk of /data/5.bin is full: free up 5 MB"),
        (.diskFull(file, needed: nil), "the disk of /data/5.bin is full: free up space"),
        (
            .lengthMismatch(file, expected: 9, found: 7),
            "the part file of /data/5.bin has 7 of 9 bytes: another process changed it, download it again"
        ),
        (.partFileInUse(file), "another process is downloading to /data/5.bin: wait until it ends, or choose another name"),
        (
            .sourceUnreadable(file, cause: POSIXError(.ENOENT)),
            "cannot read /data/5.bin (No such file or directory): make it readable, or choose another file"
        ),
        (.sourceChanged(file), "/data/5.bin changed during the upload: upload it again"),
        (.expired(url, status: 410), "/5.bin is no longer available (410): resume with a new URL"),
        (.unsupportedContentCoding(url, "gzip"), "the server sends /5.bin only with the unsupported content coding gzip"),
        (.inconsistentResponse(url, "the upload URL is missing"), "a.org sent an inconsistent response: the upload URL is missing"),
        (.digestMismatch(url), "the data from a.org does not match its digest: download it again"),
        (.unexpectedContent(url), "the data from a.org does not match the expected digest: check the digest and the URL"),
        (.unsupportedDigest("md5"), "the digest algorithm md5 is not supported: choose another one"),
        (.tooLarge(url, limit: 5_000_000), "a.org accepts files up to 5 MB"),
        (.tooLarge(url, limit: nil), "the file is too large for a.org"),
        (
            .failedBefore("cannot read https://a.org/5.bin?token=abcdefgh"), "cannot read https://a.org/5.bin?token=REDACTED"
        ),
        (.unknownTransfer(TransferID(rawValue: "abcdefgh")!), "no transfer abcdefgh"),
        // The id exceeds those of all systems.
        (.journalInUse(by: 4_194_305), "the journal is in use by process 4194305: end that process, or open another journal"),
        (
            .journalInUse(by: getpid()),
            "the journal is in use by another FileTransfers of this program: use that one, or shut it down first"
        ),
        (.journalInUse(by: nil), "the journal is in use by another process: end that process, or open another journal"),
    ])

    @Test func `Both descriptions of each case are one sentence`() {
        #expect(Self.sentences.differences == [])
        #expect(Self.sentences.missingCases { Case($0) } == [])
    }
}
