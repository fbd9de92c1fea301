import Foundation
import LadingHTTP
import LadingOperations
import LadingTesting
import MarsPhotos
import Testing

/// The example of Docs/Guides/MarsPhotos.md, which contains the code between the two markers verbatim.
@Suite struct MarsPhotosGuideExample {
    @Test func `The photo of the guide is listed and loaded`() async throws {
        let executor = ScriptedExecutor()
        executor.script(
            "https://photos.org/mars-photos/api/v1/rovers/curiosity/photos?sol=1000&camera=fhaz",
            .response(text: PhotoDocuments.photos(PhotoDocuments.photo())))
        executor.script("https://mars.org/fhaz/1.JPG", .response(body: ImageFiles.jpeg))
        let url = try #require(URL(string: "https://photos.org"))
        let (client, queue) = (BackendClient(executor: executor), BackendQueue())

        // ---- GUIDE
        let source = PhotoSourceKind.v1.source(at: url, client: client)
        let query = SolQuery(.curiosity, sol: 1000, camera: "FHAZ")
        let photos = try await queue.value(of: source.photos(of: query)).photos
        let image = try await queue.value(of: source.image(of: photos[0], size: .full))
        // ---- GUIDE

        #expect(photos.map(\.id.key) == ["102693"])
        #expect(image.format == .jpeg)
    }

    @Test func `The guide shows the code above`() throws {
        let file = URL(filePath: #filePath)
        let package = (1...3).reduce(file) { folder, _ in folder.deletingLastPathComponent() }
        let parts = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "        // ---- GUIDE\n")
        let guide = try String(contentsOf: package.appending(path: "Docs/Guides/MarsPhotos.md"), encoding: .utf8)

        try #require(parts.count == 3)
        let code = parts[1].components(separatedBy: "\n").map { String($0.dropFirst(8)) }.joined(separator: "\n")
        #expect(guide.contains("```swift\n\(code)```\n"))
    }
}
