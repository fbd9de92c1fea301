import ErrorDescriptions
import Foundation
import Testing

@Suite struct PlainDescriptionTests {
    private struct Unnamed: Error { var code = Optional(1) }

    private enum AppError: Error { case signedOut, refused(Int) }

    private struct Described: Error, CustomStringConvertible { let description: String }

    private struct Localized: LocalizedError { let errorDescription: String? }

    private struct Foreign: DescribedCause, CustomStringConvertible {
        let causeDescription: String?
        let description = "Foreign.code"
    }

    private static let causes: [(any Error, String?)] = [
        (POSIXError(.ENOSPC), "No space left on device"),
        (CocoaError(.fileReadNoSuchFile, userInfo: [NSUnderlyingErrorKey: POSIXError(.ENOENT)]), "No such file or directory"),
        (Described(description: "the card\nwas refused. "), "the card was refused"),
        (Described(description: "wait..."), "wait..."),
        (Described(description: ""), nil),
        (Described(description: String(repeating: "a", count: 301)), String(repeating: "a", count: 300) + "…"),
        (Localized(errorDescription: "the card was refused."), "the card was refused"),
        (Localized(errorDescription: nil), nil),
        (Foreign(causeDescription: "refused"), "refused"),
        (Foreign(causeDescription: nil), nil),
        (AppError.signedOut, "signedOut"),
        (AppError.refused(7), nil),
        (Unnamed(), nil),
        (NSError(domain: "a", code: 1, userInfo: [NSLocalizedDescriptionKey: "the card was refused"]), "the card was refused"),
        (NSError(domain: "a", code: 1), nil),
        (NSError(domain: NSPOSIXErrorDomain, code: Int(EISDIR)), "Is a directory"),
        (
            NSError(
                domain: NSCocoaErrorDomain, code: CocoaError.Code.fileReadUnknown.rawValue,
                userInfo: [NSUnderlyingErrorKey: NSError(domain: NSPOSIXErrorDomain, code: Int(EISDIR))]), "Is a directory"
        ),
    ]

    @Test(arguments: causes.indices) func `A cause is described in one line without names of types`(index: Int) {
        let (cause, text) = Self.causes[index]

        #expect(cause.plainDescription == text)
        #expect(cause.descriptionSuffix == (text.map { " (\($0))" } ?? ""))
        #expect("cannot pay".appending(cause: cause) == (text.map { "cannot pay: \($0)" } ?? "cannot pay"))
    }

    @Test func `A cause that begins with the problem is not repeated`() {
        #expect(
            "cannot pay".appending(cause: Described(description: "cannot pay: the card was refused")) == "cannot pay: the card was refused")
    }

    private struct Document: Decodable {
        struct Item: Decodable {
            var price: Double
        }

        var items: [Item]
        var isOpen: Bool?
        var date: Date?
    }

    @Test(arguments: [
        ("{}", "items is missing"), (#"{"items": null}"#, "items is null instead of a list"), (#"{"items": 1}"#, "items is not a list"),
        (#"{"items": [{"price": "1"}]}"#, "items[0].price is not a number"), (#"{"items": [1]}"#, "items[0] is not an object"),
        (#"{"items": [], "isOpen": 1}"#, "isOpen is not true or false"), ("[]", "the document is not an object"),
        ("{", "The given data was not valid JSON"),
    ]) func `A decoding error is described by the path and the reason`(json: String, text: String) {
        let error = #expect(throws: DecodingError.self) { try JSONDecoder().decode(Document.self, from: Data(json.utf8)) }

        #expect(error?.plainDescription == text)
    }
}
