import Foundation
import LadingOperations
import LadingOutbox
import LadingRecording
import LadingTransfers
import MarsPhotos
import Orders
import Testing
import Thumbnails
@testable import LadingHTTP
@testable import Window

/// Messages of all cases of the libraries' errors, in every language.
@Suite struct FailureTextsTests {
    private static let failures: [any Error] =
        BackendError.allSamples as [any Error] + OperationError.allSamples + OrderDocumentError.allSamples + RecordingError.allSamples
        + TransferError.allSamples
        + RequestBodyError.allSamples + EventStreamError.allSamples + OutboxError.allSamples + PhotoError.allSamples
        + PhotoDocumentError.allSamples + MarsImageError.allSamples
        + ImageDecodingError.allSamples + decoding + [
            ImageLoader.NotAnImage(mediaType: "text/html"), ImageLoader.NotAnImage(mediaType: nil),
        ]

    /// Errors thrown by a decoder.
    private static let decoding: [any Error] = ["{}", #"{"count":null}"#, #"{"count":"one"}"#, "{"].compactMap { text in
        struct Wire: Decodable { let count: Int }
        do {
            _ = try JSONDecoder().decode(Wire.self, from: Data(text.utf8))
            return nil
        } catch {
            return (error as? DecodingError).map { ResponseDecodingError($0) }
        }
    }

    @Test(arguments: failures.indices) func `Every error has a distinct message in every language`(index: Int) {
        let failure = Self.failures[index]

        let words = Language.allCases.map { Texts($0).message(for: failure) }

        #expect(words[0] == "\(failure)")
        #expect(Set(words).count == Language.allCases.count, "\(words)")
        #expect(words.allSatisfy { !$0.isEmpty && !$0.contains("unerwarteter") && !$0.contains("未預期") && !$0.contains("غير متوقع") })
        #expect(words[2].unicodeScalars.contains { (0x4E00...0x9FFF).contains($0.value) })
        #expect(words[3].unicodeScalars.contains { (0x0600...0x06FF).contains($0.value) })
    }

    @Test(arguments: failures.indices) func `Every bidirectional isolate is closed in its message`(index: Int) {
        let words = Texts(.arabic).message(for: Self.failures[index])

        #expect(words.count { $0 == "\u{2068}" } == words.count { $0 == "\u{2069}" }, "\(words)")
    }

    @Test func `An unknown error is called unexpected and shows its description`() {
        struct UnknownError: Error, CustomStringConvertible { let description = "a riddle" }

        let words = Language.allCases.map { Texts($0).reason(for: UnknownError()) }

        #expect(words == ["a riddle", "unerwarteter Fehler: a riddle", "未預期的錯誤：a riddle", "خطأ غير متوقع: \u{2068}a riddle\u{2069}"])
    }

    @Test func `A reason is that of the root cause`() {
        let failure = OperationError.dependencyFailed(OperationError.dependencyFailed(OrderDocumentError.missing("order/title")))

        #expect(Texts(.arabic).reason(for: failure) == Texts(.arabic).reason(for: OrderDocumentError.missing("order/title")))
    }
}
