import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import LadingTesting
import Testing
@testable import Window

/// Images of photos that are listed for one camera.
@Suite struct PhotoImageRoutesTests {
    private let executor = ScriptedExecutor()
    private let server: WindowServer

    init() async throws {
        server = try await WindowServer(executor: executor)
        executor.script(PhotoWire.manifest, .response(text: PhotoWire.manifest(of: [1_000])))
        executor.script(PhotoWire.sol(1_000), .response(text: PhotoWire.photos(1...5)))
        executor.script(PhotoWire.sol(1_000, camera: "mast"), .response(text: PhotoWire.photos([7], camera: "MAST")))
        for id in 1...9 { executor.script(PhotoWire.image(id), .response(body: PhotoWire.gif)) }
    }

    private func get(_ path: String) async throws -> TestResponse {
        try await server.application.test(.router) { try await $0.execute(uri: path, method: .get) }
    }

    /// Returns the URLs of the images on a page.
    private func imageURLs(on page: TestResponse) -> [String] {
        page.text.matches(of: /src="([^"]+\/picture[^"]*)"/).map { String($0.1).replacing("&amp;", with: "&") }
    }

    @Test(arguments: ["/photos/curiosity/1000?camera=mast&plain=1", "/photos/curiosity/1000/7?camera=mast"])
    func `A photo listed for one camera only has its image on the pages of that camera`(path: String) async throws {
        _ = try await get("/photos/curiosity/1000/1/picture?size=320")
        let images = imageURLs(on: try await get(path))

        #expect(!images.isEmpty)
        for picture in images { #expect(try await get(picture).status == .ok) }
    }

    @Test func `A photo newer than the cached list is found in a new one`() async throws {
        _ = try await get("/photos/curiosity/1000?plain=1")
        executor.script(PhotoWire.sol(1_000), .response(text: PhotoWire.photos(1...9)))

        #expect(try await get("/photos/curiosity/1000/9/picture?size=320").status == .ok)
        #expect(try await get("/photos/curiosity/1000/99/picture?size=320").status == .notFound)
    }

    @Test func `The page of a photo newer than the cached list is found`() async throws {
        _ = try await get("/photos/curiosity/1000?plain=1")
        executor.script(PhotoWire.sol(1_000), .response(text: PhotoWire.photos(1...9)))

        let page = try await get("/photos/curiosity/1000/9")

        #expect(page.status == .ok)
        #expect(page.text.contains("/photos/curiosity/1000/8"))
        #expect(try await get("/photos/curiosity/1000/99").status == .notFound)
    }
}
