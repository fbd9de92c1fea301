import Foundation
@testable import LadingHTTP
import LadingOperations
import MarsPhotos
import Orders
import Testing
import Thumbnails

@testable import Window

/// What pages say of the errors of the libraries: each case of each, in every language.
@Suite struct FailureTextsTests {
    private static let failures: [any Error] =
        BackendError.walk as [any Error] + OperationError.walk + OrderDocumentError.walk + RecordingError.walk + TransferError.walk
        + RequestBodyError.walk + EventStreamError.walk + OutboxError.walk + PhotoError.walk + PhotoDocumentError.walk + MarsImageError.walk
        + PictureError.walk + decoding + [
            PictureStore.NoPicture(mediaType: "text/html"), PictureStore.NoPicture(mediaType: nil),
        ]

    /// As a decoder makes them.
    private static let decoding: [any Error] = ["{}", #"{"count":null}"#, #"{"count":"one"}"#, "{"].compactMap { text in
        struct Wire: Decodable { let count: Int }
        do {
            _ = try JSONDecoder().decode(Wire.self, from: Data(text.utf8))
            return nil
        } catch {
            return (error as? DecodingError).map { ReplyDecodingError($0) }
        }
    }

    @Test(arguments: failures.indices) func `Every failure has words of its own in every language`(index: Int) {
        let failure = Self.failures[index]

        let words = Language.allCases.map { Texts($0).words(for: failure) }

        #expect(words[0] == "\(failure)")
        #expect(Set(words).count == Language.allCases.count, "\(words)")
        #expect(words.allSatisfy { !$0.isEmpty && !$0.contains("unerwarteter") && !$0.contains("未預期") && !$0.contains("غير متوقع") })
        #expect(words[2].unicodeScalars.contains { (0x4E00...0x9FFF).contains($0.value) })
        #expect(words[3].unicodeScalars.contains { (0x0600...0x06FF).contains($0.value) })
    }

    @Test(arguments: failures.indices) func `What is isolated in a sentence ends in it`(index: Int) {
        let words = Texts(.arabic).words(for: Self.failures[index])

        #expect(words.count { $0 == "\u{2068}" } == words.count { $0 == "\u{2069}" }, "\(words)")
    }

    @Test func `An error that nobody has words for is called unexpected, and tells itself`() {
        struct Riddle: Error, CustomStringConvertible { let description = "a riddle" }

        let words = Language.allCases.map { Texts($0).reason(Riddle()) }

        #expect(words == ["a riddle", "unerwarteter Fehler: a riddle", "未預期的錯誤：a riddle", "خطأ غير متوقع: \u{2068}a riddle\u{2069}"])
    }

    @Test func `A reason is that of the failure it began with`() {
        let failure = OperationError.dependencyFailed(OperationError.dependencyFailed(OrderDocumentError.missing("order/title")))

        #expect(Texts(.arabic).reason(failure) == Texts(.arabic).reason(OrderDocumentError.missing("order/title")))
    }
}
