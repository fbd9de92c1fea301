import Testing

@testable import Window

@Suite("Fields of steps")
struct StepFieldsTests {
    private static let multipart = "multipart/form-data; boundary=\"b ?\""

    private func fields(_ text: String) throws -> StepFields {
        try StepFields(type: Self.multipart, body: Array(text.replacing("\n", with: "\r\n").utf8))
    }

    @Test func `A url-encoded form has all values of a name`() throws {
        let fields = try StepFields(type: "application/x-www-form-urlencoded", body: Array("item=3&item=5&note=a+b%26".utf8))

        #expect(fields.all("item") == ["3", "5"])
        #expect(fields["note"] == "a b&")
        #expect(fields["none"] == nil)
    }

    @Test func `A form with a file has its bytes and its fields`() throws {
        let fields = try fields(
            """
            preamble
            --b ?
            Content-Disposition: form-data; name="fence"

            4
            --b ?
            content-type: image/png
            content-disposition: form-data; name="photo"; filename="a;b.png"

            \u{1}--b
            --b ?
            Content-Disposition: form-data; name="signature"

            Ms Lee
            --b ?--
            """)

        #expect(fields["fence"] == "4")
        #expect(fields.proofs.map(\.kind) == ["photo", "signature"])
        #expect(fields.proofs.first?.bytes == Array("\u{1}--b".utf8))
        #expect(fields.proofs.first?.mediaType == "image/png")
    }

    @Test func `An empty file and blank texts are no proofs`() throws {
        let fields = try fields(
            """
            --b ?
            Content-Disposition: form-data; name="photo"; filename=""
            Content-Type: application/octet-stream


            --b ?
            Content-Disposition: form-data; name="note"

               \n--b ?--
            """)

        #expect(fields.proofs.isEmpty)
    }

    @Test(arguments: [
        "", "--b ?", "--b ?\n\nx\n--b ?--", "--b ?\nContent-Disposition: form-data; name=\"x\"\n\nnever ends", "--other\n\n--other--",
    ])
    func `A body that is not a form is refused`(text: String) {
        #expect(throws: PageError.malformedRequest) { try fields(text) }
    }

    @Test(arguments: [
        "multipart/form-data", "multipart/form-data; boundary=", "multipart/form-data; boundary=" + String(repeating: "x", count: 71),
    ])
    func `A form without a valid boundary is refused`(type: String) {
        #expect(throws: PageError.malformedRequest) { try StepFields(type: type, body: []) }
    }
}
