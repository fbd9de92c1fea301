import Foundation
import HTTPTypes
import LadingHTTP
import LadingOperations
import LadingOutbox
import LadingRecording
import LadingTransfers
import Orders

/// An error type whose cases can be enumerated, with sample values.
///
/// The switches name every case, so that the compiler reports a missing one.
protocol EnumerableError: Error {
    /// Returns the case after another one.
    ///
    /// - Parameter error: The previous case; nil for the first.
    /// - Returns: The next case; nil after the last.
    static func next(after error: Self?) -> Self?
}

extension EnumerableError {
    static var allSamples: [Self] {
        Array(
            sequence(state: nil as Self?) { error in
                error = next(after: error)
                return error
            })
    }
}

private struct SampleCause: Error {}
private let source = URL(string: "https://a.org:8443/folder/5.xml")!
private let transfer = TransferID(rawValue: "abcdefgh")!
private let key = IdempotencyKey(rawValue: "7f3a")!
private let file = URL(filePath: "/data/5.bin")

extension BackendError: EnumerableError {
    static func next(after error: BackendError?) -> BackendError? {
        switch error {
        case nil: .unreachable(source, cause: SampleCause())
        case .unreachable: .timedOut(source, after: .seconds(30))
        case .timedOut: .interrupted(source, cause: SampleCause())
        case .interrupted: .malformedResponse(source, cause: SampleCause())
        case .malformedResponse: .status(404, source)
        case .status(404, _, _): .status(500, source)
        case .status(500, _, _): .status(503, source, headers: [.retryAfter: "120"])
        case .status: .bodyTooLarge(source, limit: 8 << 20)
        case .bodyTooLarge: .bufferLimitExceeded(source, limit: 1 << 20)
        case .bufferLimitExceeded: .tooManyRedirects(source, limit: 5)
        case .tooManyRedirects: .policyViolation(source, .unsupportedScheme)
        case .policyViolation(_, .unsupportedScheme): .policyViolation(source, .missingHost)
        case .policyViolation(_, .missingHost): .policyViolation(source, .privateAddress)
        case .policyViolation(_, .privateAddress): .decodingFailed(source, cause: OrderDocumentError.missing("order/title"))
        case .decodingFailed: .circuitOpen(source, retryAfter: .seconds(2))
        case .circuitOpen: nil
        }
    }
}

extension OperationError: EnumerableError {
    static func next(after error: OperationError?) -> OperationError? {
        switch error {
        case nil: .dependencyFailed(OrderDocumentError.missing("order/title"))
        case .dependencyFailed: .cycle("parse order 3")
        case .cycle: .deadlineExceeded
        case .deadlineExceeded: .queueShutDown
        case .queueShutDown: nil
        }
    }
}

extension OrderDocumentError: EnumerableError {
    static func next(after error: OrderDocumentError?) -> OrderDocumentError? {
        switch error {
        case nil: .tooLong(limit: 1_000_000)
        case .tooLong: .tooManyLevels(limit: 64)
        case .tooManyLevels: .unsupportedDocumentType
        case .unsupportedDocumentType: .expansionTooLong(limit: 65_536)
        case .expansionTooLong: .unsupportedEncoding("EBCDIC")
        case .unsupportedEncoding: .malformed("line 1")
        case .malformed: .unexpectedRoot("html", expected: "order")
        case .unexpectedRoot: .missing("order/title")
        case .missing: .notANumber("order/price", text: "free")
        case .notANumber: .outOfRange("order/location/latitude", text: "91")
        case .outOfRange: .notADictionary
        case .notADictionary: .tooManyEntries(limit: 2_000_000)
        case .tooManyEntries: .nonNumericKey("one")
        case .nonNumericKey: .duplicateKey("7")
        case .duplicateKey: .addressNotAString("array")
        case .addressNotAString: .invalidAddress("")
        case .invalidAddress(""): .invalidAddress("nowhere")
        case .invalidAddress: .addressTooLong(limit: 2_000)
        case .addressTooLong: .relativeAddress("5.xml")
        case .relativeAddress: .unsupportedScheme("ftp")
        case .unsupportedScheme: .unknownItem(4_711)
        case .unknownItem: nil
        }
    }
}

extension RecordingError: EnumerableError {
    static func next(after error: RecordingError?) -> RecordingError? {
        switch error {
        case nil: .noRecording(method: "GET", url: "http://a.org/5.xml")
        case .noRecording: .writeFailed(file, cause: SampleCause())
        case .writeFailed: .readFailed(file, cause: SampleCause())
        case .readFailed: .corrupt(file, reason: "cut off")
        case .corrupt: .unknownFormat(file, 9)
        case .unknownFormat: .truncated(url: "http://a.org/5.xml")
        case .truncated: .tooMany(file, limit: 10_000)
        case .tooMany: nil
        }
    }
}

extension TransferError: EnumerableError {
    static func next(after error: TransferError?) -> TransferError? {
        switch error {
        case nil: .targetExists(file)
        case .targetExists: .targetNotWritable(file, cause: SampleCause())
        case .targetNotWritable: .targetFolderMissing(file)
        case .targetFolderMissing: .diskFull(file, needed: 1_000_000)
        case .diskFull(_, .some): .diskFull(file, needed: nil)
        case .diskFull(_, nil): .lengthMismatch(file, expected: 20, found: 40)
        case .lengthMismatch: .partFileInUse(file)
        case .partFileInUse: .sourceUnreadable(file, cause: SampleCause())
        case .sourceUnreadable: .sourceChanged(file)
        case .sourceChanged: .expired(source, status: 410)
        case .expired: .unsupportedContentCoding(source, "gzip")
        case .unsupportedContentCoding: .inconsistentResponse(source, "range")
        case .inconsistentResponse: .digestMismatch(source)
        case .digestMismatch: .unexpectedContent(source)
        case .unexpectedContent: .unsupportedDigest("md5")
        case .unsupportedDigest: .tooLarge(source, limit: 1_000_000)
        case .tooLarge(_, .some): .tooLarge(source, limit: nil)
        case .tooLarge(_, nil): .failedBefore("gone")
        case .failedBefore: .unknownTransfer(transfer)
        case .unknownTransfer: .journalInUse(by: 4_711)
        case .journalInUse(.some): .journalInUse(by: nil)
        case .journalInUse(nil): nil
        }
    }
}

extension RequestBodyError: EnumerableError {
    static func next(after error: RequestBodyError?) -> RequestBodyError? {
        switch error {
        case nil: .fileNotFound("/data/5.bin")
        case .fileNotFound: .notRegularFile("/data")
        case .notRegularFile: .unreadable("/data/5.bin", code: 13)
        case .unreadable: .outOfRange("/data/5.bin", size: 9)
        case .outOfRange: .wrongLength(9, announced: 10)
        case .wrongLength: .tooLong(limit: 1_000_000)
        case .tooLong: .unsupportedMethod("GET")
        case .unsupportedMethod: nil
        }
    }
}

extension EventStreamError: EnumerableError {
    static func next(after error: EventStreamError?) -> EventStreamError? {
        switch error {
        case nil: .eventTooLong(limit: 1_000_000)
        case .eventTooLong: .unexpectedContentType("text/html")
        case .unexpectedContentType(.some): .unexpectedContentType(nil)
        case .unexpectedContentType(nil): nil
        }
    }
}

extension OutboxError: EnumerableError {
    static func next(after error: OutboxError?) -> OutboxError? {
        switch error {
        case nil: .full(limit: 1_000)
        case .full: .tooLarge(limit: 1_000_000)
        case .tooLarge: .containsSecret("Authorization")
        case .containsSecret: .keyReused(key)
        case .keyReused: .diskFull
        case .diskFull: nil
        }
    }
}
