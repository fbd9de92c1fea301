import Foundation
import HTTPTypes
import LadingHTTP
import LadingTesting
import Testing
import TemporaryFolders

@Suite struct MultipartFormTests {
    private let url = URL(string: "http://example.org/upload")!

    private func text(of form: MultipartForm) async throws -> String {
        String(decoding: try await RequestContent.multipart(form).body.collected(limit: 1 << 20), as: UTF8.self)
    }

    @Test func `Texts, bytes and files are encoded in order`() async throws {
        let file = try TemporaryFile("of a file")
        var form = MultipartForm(random: SeededRandom(seed: 1))
        form.append("title", "Größe")
        form.append("raw", [1, 2], fileName: "raw.bin", type: "a/b")
        try form.append("scan", file: file.url, fileName: "scan.txt", type: "text/plain")
        let boundary = form.boundary

        #expect(
            try await text(of: form) == """
                --\(boundary)\r
                Content-Disposition: form-data; name="title"\r
                \r
                Größe\r
                --\(boundary)\r
                Content-Disposition: form-data; name="raw"; filename="raw.bin"\r
                Content-Type: a/b\r
                \r
                \u{1}\u{2}\r
                --\(boundary)\r
                Content-Disposition: form-data; name="scan"; filename="scan.txt"\r
                Content-Type: text/plain\r
                \r
                of a file\r
                --\(boundary)--\r

                """)
        #expect(RequestContent.multipart(form).type == "multipart/form-data; boundary=\(boundary)")
    }

    @Test(arguments: [
        (#"a"b"#, "a%22b"), ("a\r\nb", "a%0D%0Ab"), ("a\nb", "a%0Ab"), ("größe 😀.png", "größe 😀.png"), (#"c:\a;b"#, #"c:\a;b"#),
        ("50%", "50%"),
    ])
    func `Names are escaped as browsers do`(name: String, escaped: String) async throws {
        var form = MultipartForm()
        form.append(name, "x")
        form.append("file", [], fileName: name)

        let lines = try await text(of: form).components(separatedBy: "\r\n")

        #expect(lines[1] == "Content-Disposition: form-data; name=\"\(escaped)\"")
        #expect(lines[5] == "Content-Disposition: form-data; name=\"file\"; filename=\"\(escaped)\"")
    }

    @Test func `A media type cannot inject header fields`() async throws {
        var form = MultipartForm()
        form.append("a", .bytes("b".utf8), type: "a/b\r\nX-Evil: 1")

        #expect(try await !text(of: form).contains("\nX-Evil"))
    }

    @Test func `The length is known when the lengths of all parts are`() async throws {
        var form = MultipartForm()
        form.append("a", [1, 2, 3])
        let content = RequestContent.multipart(form)
        form.append("b", .stream { Chunks("x") })

        #expect(content.body.length == (try await content.body.collected(limit: 1_000)).count)
        #expect(RequestContent.multipart(form).body.length == nil)
    }

    @Test func `A form without parts is terminated`() async throws {
        let form = MultipartForm()

        #expect(try await text(of: form) == "--\(form.boundary)--\r\n")
    }

    @Test func `The boundary is derived from the random number generator`() {
        let boundaries = [1, 1, 2].map { MultipartForm(random: SeededRandom(seed: $0)).boundary }

        #expect(boundaries[0] == boundaries[1])
        #expect(boundaries[0] != boundaries[2])
        #expect(boundaries.allSatisfy { $0.utf8.count <= 70 && $0.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") } })
    }

    @Test func `An error of a part ends the exchange`() async throws {
        struct Broken: Error {}
        var form = MultipartForm()
        form.append("a", .stream { () -> Chunks in throw Broken() })
        let executor = ScriptedExecutor()

        await #expect(throws: Broken.self) {
            try await BackendClient(executor: executor).response(to: RequestMessage(method: .post, url: url, content: .multipart(form)))
        }
        #expect(executor.requests.isEmpty)
    }
}
