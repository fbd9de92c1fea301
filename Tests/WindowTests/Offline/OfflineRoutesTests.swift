import Foundation
import HTTPTypes
import HummingbirdTesting
import LadingTesting
import NIOCore
import Testing

@testable import Window

/// Installation and offline use in a browser.
@Suite struct OfflineRoutesTests {
    private let server: WindowServer

    init() async throws { server = try await WindowServer(executor: ScriptedExecutor()) }

    private func get(_ path: String, language: String? = nil) async throws -> TestResponse {
        var headers: HTTPFields = [.accept: "text/html"]
        headers[.acceptLanguage] = language
        return try await server.application.test(.router) { [headers] in
            try await $0.execute(uri: path, method: .get, headers: headers)
        }
    }

    /// Returns the names of the assets that the worker caches.
    private func appShell() async throws -> [String] {
        let worker = try await get("/worker.js").text
        let list = try #require(worker.firstMatch(of: /serve\((.+)\);/)).1
        return try JSONDecoder().decode([String].self, from: Data(list.utf8))
    }

    @Test func `The worker script is revalidated on each request and names the version of its scripts`() async throws {
        let worker = try await get("/worker.js")

        #expect(worker.headers[.contentType] == "text/javascript; charset=utf-8")
        #expect(worker.headers[.cacheControl] == "no-cache")
        let script = try #require(worker.text.firstMatch(of: /import \{ serve \} from "(.+)";/)).1
        #expect(try await get(String(script)).status == .ok)
    }

    @Test func `The app shell contains the assets of all pages but the operations page and the installed icons`() async throws {
        let shell = try await appShell()

        for page in ["/", "/orders", "/offline"] {
            let names = try await get(page).text.matches(of: /(?:href|src)="\/assets\/[^\/]+\/([^"]+)"/).map { String($0.1) }
            #expect(names.count > 3)
            for name in names where !name.hasSuffix(".png") { #expect(shell.contains(name), "\(name) of \(page)") }
        }
        #expect(shell.contains("map.js"))
        #expect(!shell.contains("operations.js"))
        #expect(!shell.contains { $0.hasSuffix(".png") })
        #expect(shell == shell.sorted())
    }

    @Test(arguments: Language.allCases)
    func `The manifest is in the preferred language`(language: Language) async throws {
        let response = try await get("/manifest.webmanifest", language: language.tag)

        #expect(response.headers[.contentType] == "application/manifest+json")
        #expect(response.headers[.contentLanguage] == language.tag)
        let manifest = try #require(try JSONSerialization.jsonObject(with: Data(String(buffer: response.body).utf8)) as? [String: Any])
        #expect(manifest["lang"] as? String == language.tag)
        #expect(manifest["dir"] as? String == language.direction)
        #expect(manifest["description"] as? String == LocalizedStrings(language).startTitle)
        #expect(manifest["id"] as? String == "/")
        #expect(manifest["start_url"] as? String == "/")
        #expect(manifest["scope"] as? String == "/")
        #expect(manifest["display"] as? String == "standalone")
    }

    @Test func `Every resource of the manifest exists with the declared type`() async throws {
        let response = try await get("/manifest.webmanifest")
        let manifest = try JSONDecoder().decode(Manifest.self, from: Data(String(buffer: response.body).utf8))

        #expect(Set(manifest.icons.map(\.purpose)) == ["any", "maskable"])
        for icon in manifest.icons {
            let image = try await get(icon.src)
            #expect(image.status == .ok)
            #expect(image.headers[.contentType] == icon.type)
        }
        #expect(!manifest.shortcuts.isEmpty)
        for shortcut in manifest.shortcuts { #expect(try await get(shortcut.url).status == .ok) }
    }

    private struct Manifest: Decodable {
        let icons: [Icon]
        let shortcuts: [Shortcut]

        struct Icon: Decodable {
            let src: String
            let type: String
            let purpose: String
        }

        struct Shortcut: Decodable {
            let url: String
        }
    }

    @Test func `The offline page runs the script that waits for the server`() async throws {
        let page = try await get("/offline", language: "de")

        #expect(page.headers[.contentLanguage] == "de")
        #expect(page.text.contains("Sie sind offline"))
        #expect(page.text.contains("Diese Seite ist auf diesem Gerät nicht gespeichert"))
        #expect(page.text.contains("class=\"screen-offline\""))
        #expect(page.text.contains("worker-client.js"))
    }

    @Test func `A plain page needs no worker`() async throws {
        let page = try await get("/orders?plain=1")

        #expect(!page.text.contains("worker-client.js"))
    }
}
