import Foundation
import NIOCore
import Testing

@testable import CacheTraces
@testable import Window

@Suite struct AssetStoreTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "lading-assets-\(UUID().uuidString)")

    private func store(_ files: [String: String], scripts: Set<String> = [], networkOnly: Set<String> = []) throws -> AssetStore {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, text) in files { try Data(text.utf8).write(to: folder.appending(path: name)) }
        return try AssetStore(resources: folder, scripts: scripts, networkOnly: networkOnly)
    }

    private func text(_ bytes: ByteBuffer?) throws -> String { String(buffer: try #require(bytes)) }

    @Test func `Icons are inlined into the style sheets that reference them`() throws {
        let assets = try store([
            "back.svg": "<svg fill=\"#000\"><path d=\"M0 0\"/></svg>\n", "app.svg": "<svg/>",
            "app.css": "/* The\nway back. */.a { mask: url(back.svg) 0 / contain; } .b { background: url(app2.png); }",
        ])

        let mask = "url(\"data:image/svg+xml,<svg fill='%23000'><path d='M0 0'/></svg>\") 0 / contain;"
        #expect(
            try text(assets["app.css"]?.bytes) == ".a { -webkit-mask: \(mask) mask: \(mask) } .b { background: url(app2.png); }")
        #expect(assets.appShell == ["app.css", "app.svg"])
    }

    @Test func `Modules are bundled into the scripts that import them`() throws {
        let assets = try store(["a.js": "import { b } from \"./b.js\";\nb();", "b.js": "export function b() {}"], scripts: ["a.js"])

        #expect(assets.appShell == ["a.js"])
        #expect(try text(assets["a.js"]?.bytes).contains("function b() {}"))
    }

    @Test func `The app shell contains the assets that pages need offline, and no templates`() throws {
        let assets = try store(
            ["a.js": "a();", "b.js": "b();", "app.css": "", "app.svg": "<svg/>", "page.mustache": "<p>"], scripts: ["a.js", "b.js"],
            networkOnly: ["b.js"])

        #expect(assets.appShell == ["a.js", "app.css", "app.svg"])
        #expect(assets["b.js"] != nil && assets["page.mustache"] == nil)
    }

    @Test func `Assets that compress well are stored compressed`() throws {
        let text = String(repeating: ".row { color: red; }\n", count: 100)

        let assets = try store(["app.css": text, "tiny.svg": "<svg/>"])

        let gzipped = try #require(assets["app.css"]?.gzipped)
        #expect(gzipped.readableBytes < 100)
        var content = Data()
        try GzipDecoder().inflate(Data(gzipped.readableBytesView)) { content += $0 }
        #expect(content == Data(text.utf8))
        #expect(assets["tiny.svg"]?.gzipped == nil)
    }
}
