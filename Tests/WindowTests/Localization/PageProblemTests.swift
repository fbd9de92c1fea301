import Foundation
import HTTPTypes
import LadingHTTP
import LadingOperations
import MarsPhotos
import Orders
import Testing
@testable import Window

/// Problem texts as a table of errors, subjects and sentences.
@Suite struct PageProblemTests {
    private struct UnknownError: Error {}

    private static let url = URL(string: "https://a.org/order-1.xml")!

    private static let table: [(any Error, PageProblem.Subject, String)] = [
        (BackendError.unreachable(url, cause: UnknownError()), .orders, "The server can’t be reached."),
        (BackendError.timedOut(url, after: .seconds(10)), .order, "The server can’t be reached."),
        (BackendError.status(503, url), .order, "The server has a problem. Try again later."),
        (BackendError.status(404, url), .order, "This is no longer on the server."),
        (BackendError.status(403, url), .favourite, "The server doesn’t allow this."),
        (
            BackendError.decodingFailed(url, cause: OrderDocumentError.unsupportedDocumentType), .order,
            "This order can’t be read. Report it."
        ),
        (BackendError.decodingFailed(url, cause: OrderDocumentError.notADictionary), .orders, "This list can’t be read. Report it."),
        (MarsImageError.webPage, .photo, "This photo can’t be shown. Report it."),
        (UnknownError(), .order, "Something went wrong. Report it if it happens again."),
    ]

    @Test(arguments: table.indices) func `A problem states what an error means and preserves its technical reason as details`(index: Int) {
        let (error, subject, sentence) = Self.table[index]

        let problem = Texts(.english).problem(for: OperationError.dependencyFailed(error), subject: subject)

        #expect(problem.text == sentence)
        #expect(problem.details == Texts(.english).reason(for: error))
        #expect(!problem.text.contains("a.org"))
    }

    @Test(arguments: Language.allCases) func `No problem text names a server, a status or a document, in any language`(language: Language) {
        for (error, subject, _) in Self.table {
            let text = Texts(language).problem(for: error, subject: subject).text
            #expect(!text.contains("a.org") && !text.contains("503") && !text.contains("xml"))
        }
    }

    @Test(arguments: ["html", "urlset", "RDF"]) func `An unexpected outermost element is named without an article`(name: String) {
        let error = OrderDocumentError.unexpectedRoot(name, expected: "plist")

        #expect("\(error)" == "the root element is <\(name)>, expected <plist>")
        #expect(Texts(.german).message(for: error) == "das äußerste Element ist <\(name)>, erwartet wurde <plist>")
    }

    @Test func `Skipped photos are counted`() {
        #expect(Texts(.english).skippedPhotos(1) == "1 photo could not be read and was left out")
        #expect(Texts(.english).skippedPhotos(12) == "12 photos could not be read and were left out")
        #expect(Texts(.german).skippedPhotos(2) == "2 Fotos waren nicht lesbar und fehlen")
    }
}
