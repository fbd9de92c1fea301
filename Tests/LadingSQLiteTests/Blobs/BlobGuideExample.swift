import Foundation
import LadingCaching
import LadingSQLite
import Testing
@testable import StoreFixtures

/// The code of Docs/Guides/BlobStore.md, which contains the lines between the markers verbatim.
@Suite struct BlobGuideExample {
    @Test func `The example of the guide stores and reads a body`() async throws {
        let folder = try StoreFolder("blobs")
        let (directory, chunks) = (folder.url, [[UInt8](repeating: 1, count: 50_000), [2, 3]])

        // ---- GUIDE
        let store = try SQLiteBlobStore(in: directory.appending(path: "photos"), byteLimit: 500 << 20)
        let key = BlobKey(group: "https://example.org/pear.jpg")

        let writer = try await store.write(key, metadata: Array("image/jpeg".utf8))
        for chunk in chunks { try await writer.append(chunk) }
        let blob = try await writer.finish(metadata: nil)

        let reader = try await store.open(blob)
        let start = try await reader?.read(from: 0, count: 64 << 10)
        // ---- GUIDE

        #expect(start == Array(chunks.joined()))
        try store.close()
    }

    @Test func `The guide contains the example code`() throws {
        let file = URL(filePath: #filePath)
        let package = (1...4).reduce(file) { folder, _ in folder.deletingLastPathComponent() }
        let parts = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "        // ---- GUIDE\n")
        let guide = try String(contentsOf: package.appending(path: "Docs/Guides/BlobStore.md"), encoding: .utf8)

        try #require(parts.count == 3)
        let code = parts[1].components(separatedBy: "\n").map { String($0.dropFirst(8)) }.joined(separator: "\n")
        #expect(guide.contains("```swift\n\(code)```\n"))
    }
}
