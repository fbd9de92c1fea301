import Foundation
import LadingTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Journeys {
    /// `lading photos` and `lading rovers` with a real origin, over real sockets and files.
    @Suite struct PhotosJourneyTests {
        private struct Photo: Decodable {
            let id: String
            let sol: Int
            let rover: String
            let camera: String
            let image: String
            let file: String?
        }

        private func photos(_ text: String) throws -> [Photo] { try JSONDecoder().decode([Photo].self, from: Data(text.utf8)) }

        /// Runs a body with the address of an origin.
        private func withOrigin(_ body: (String) async throws -> Void) async throws {
            let (origin, list) = try await Program.start(
                "serve", "--port", "0", "--in-memory", "--orders", "1", "--deliveries", "1", announcing: "The orders are served at ")
            let url = try #require(URL(string: list))
            try await body("http://\(url.host()!):\(url.port!)")
            #expect(await origin.terminate() == 0)
        }

        private func withFolder(_ body: (URL) async throws -> Void) async throws {
            let folder = FileManager.default.temporaryDirectory.appending(path: "lading-photos-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: folder) }
            try await body(folder)
        }

        @Test func `The photos of a camera are saved whole under safe names, and not fetched again`() async throws {
            try await withOrigin { origin in
                try await withFolder { folder in
                    let arguments = [
                        "photos", "--rover", "Perseverance", "--sol", "1000", "--camera", "skycam", "--json", "--origin", origin, "--save",
                        folder.path,
                    ]
                    let whole = try photos(
                        try await Program.run("photos", "--rover", "perseverance", "--sol", "1000", "--json", "--origin", origin).output)
                    let run = try await Program.run(arguments)
                    let counts = try await Self.photoRequests(origin)
                    let again = try await Program.run(arguments)

                    let saved = try photos(run.output)
                    #expect((run.code, run.error) == (0, ""))
                    #expect(saved.map(\.id) == whole.filter { $0.camera == "SKYCAM" }.map(\.id) && whole.count == 500)
                    for photo in saved {
                        let bytes = try Data(contentsOf: URL(filePath: try #require(photo.file)))
                        #expect(bytes.starts(with: [0xFF, 0xD8]) || bytes.starts(with: [0x89, 0x50]))
                    }
                    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == saved.count)
                    #expect(again.output == run.output)
                    #expect(try await Self.photoRequests(origin) == counts && counts == saved.count)
                }
            }
        }

        @Test func `Ctrl-C leaves whole photos, and the next run fetches those that are missing`() async throws {
            let (photos, gif) = (1...40, "GIF89a\u{3}\u{0}\u{2}\u{0}\u{0}\u{0}\u{0};")
            let list = photos.map { #"{"id":\#($0),"sol":1,"camera":{"name":"FHAZ"},"img_src":"BASE/\#($0).gif"}"# }
            var documents = ["/api/rovers/spirit/photos": #"{"photos":[\#(list.joined(separator: ","))]}"#]
            for photo in photos { documents["/\(photo).gif"] = gif }
            let (requests, report) = AsyncStream<Void>.makeStream()
            // The list and twenty photos. At most sixteen downloads are concurrent, so the next request implies that some photos are saved.
            let breaking = StubOrderServer(documents: documents, onRequest: { report.yield() }, responseLimit: 21)
            let (again, reportAgain) = AsyncStream<Void>.makeStream()
            let whole = StubOrderServer(documents: documents, onRequest: { reportAgain.yield() })
            try await withFolder { folder in
                let arguments = ["photos", "--rover", "spirit", "--sol", "1", "--json", "--save", folder.path]
                let code = try await breaking.serve { base in
                    let run = try Program.launch(arguments + ["--photos-url", base + "/api"])
                    for await _ in requests.prefix(22) {}
                    run.signal(SIGINT)
                    return await run.waitForExit()
                }
                let savedNames = try Self.names(in: folder)

                let second = try await whole.serve { try await Program.run(arguments + ["--photos-url", $0 + "/api"]) }

                reportAgain.finish()
                let repeatedRequests = await again.reduce(0) { count, _ in count + 1 }
                #expect((code, second.code) == (130, 0))
                #expect((4...20).contains(savedNames.count) && repeatedRequests == 1 + photos.count - savedNames.count)
                #expect(try Self.names(in: folder).count == photos.count)
                for name in try Self.names(in: folder) {
                    #expect(try Data(contentsOf: folder.appending(path: name)) == Data(gif.utf8))
                }
            }
        }

        private static func names(in folder: URL) throws -> [String] {
            guard FileManager.default.fileExists(atPath: folder.path) else { return [] }
            return try FileManager.default.contentsOfDirectory(atPath: folder.path)
        }

        private static func photoRequests(_ origin: String) async throws -> Int {
            struct Counts: Decodable {
                struct Requests: Decodable { let photos: Int }

                let requests: Requests
            }
            let (counts, _) = try await URLSession.shared.data(from: try #require(URL(string: origin + "/-/counts")))
            return try JSONDecoder().decode(Counts.self, from: counts).requests.photos
        }

        @Test func `All three services list the same photos`() async throws {
            try await withOrigin { origin in
                for (rover, source) in [("curiosity", "msl"), ("perseverance", "mars2020")] {
                    let arguments = ["photos", "--rover", rover, "--sol", "1000", "--json", "--origin", origin]
                    let (usual, raw) = (try await Program.run(arguments), try await Program.run(arguments + ["--photos-source", source]))

                    #expect(try photos(usual.output).map(\.image) == photos(raw.output).map(\.image))
                    #expect(raw.code == 0)
                }
            }
        }

        @Test func `An empty result comes with a hint`() async throws {
            try await withOrigin { origin in
                let cases: [([String], Int32, String)] = [
                    (
                        ["--rover", "beagle", "--sol", "1"], 1,
                        "lading: no rover beagle: list the rovers with \"lading rovers\"\n"
                    ),
                    (["--rover", "spirit", "--sol", "9999"], 1, "lading: the last sol with photos of Spirit is 2208: use --sol 2208\n"),
                    (
                        ["--rover", "spirit", "--sol", "1000", "--camera", "MAST"], 1,
                        "lading: Spirit has no camera MAST: use ENTRY, FHAZ, MINITES, NAVCAM, PANCAM, RHAZ\n"
                    ),
                    (["--rover", "spirit", "--sol", "710"], 0, "lading: Spirit has no photos on sol 710; nearest sols with photos: "),
                    (["--rover", "spirit", "--sol", "710", "--photos-source", "msl"], 1, "lading: no rover spirit"),
                ]
                for (arguments, code, error) in cases {
                    let run = try await Program.run(["photos"] + arguments + ["--origin", origin])
                    #expect(run.code == code, "\(arguments)")
                    #expect(run.error.hasPrefix(error), "\(run.error)")
                }
            }
        }

        @Test func `Rovers are printed, for people and for programs`() async throws {
            try await withOrigin { origin in
                let table = try await Program.run("rovers", "--origin", origin)
                let json = try await Program.run("rovers", "--origin", origin, "--json")
                let raw = try await Program.run("rovers", "--origin", origin, "--photos-source", "mars2020")

                #expect(
                    table.output.split(separator: "\n").map { $0.prefix { $0 != " " } } == [
                        "Rover", "curiosity", "opportunity", "spirit", "perseverance",
                    ])
                #expect(json.output.contains(#""maxSol":4400,"name":"curiosity""#))
                #expect(raw.output.contains("perseverance") && raw.output.contains("1484"))
            }
        }

        @Test func `A file that is not an image is reported, the others are saved and no key is printed`() async throws {
            let photo = #"{"id":%,"sol":1,"camera":{"name":"FHAZ"},"img_src":"BASE/%.jpg"}"#
            let documents = [
                "/api/rovers/spirit/photos":
                    #"{"photos":[\#((1...2).map { photo.replacing("%", with: "\($0)") }.joined(separator: ","))]}"#,
                "/1.jpg": "<html>sorry</html>", "/2.jpg": "GIF89a\u{3}\u{0}\u{2}\u{0}\u{0}\u{0}\u{0};",
            ]
            try await withFolder { folder in
                let run = try await StubOrderServer(documents: documents).serve { base in
                    try await Program.run(
                        ["photos", "--rover", "spirit", "--sol", "1", "--photos-url", base + "/api", "--json", "--save", folder.path],
                        environment: ["LADING_PHOTOS_KEY": "s3cret"])
                }

                #expect(run.code == 1)
                #expect(run.error == "lading: 1 of 2 photos could not be saved.\n")
                #expect(run.output.contains("expected an image, received a web page"))
                #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["spirit-1-FHAZ-2.gif"])
                #expect(!(run.output + run.error).contains("s3cret"))
            }
        }

        @Test func `A key in the address is refused`() async throws {
            let run = try await Program.run("rovers", "--photos-url", "http://127.0.0.1:1/?api_key=s3cret")
            #expect(run.code == 64)
            #expect(run.error.contains("LADING_PHOTOS_KEY") && !run.error.contains("s3cret"))
        }
    }
}
