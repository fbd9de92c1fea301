import Foundation
import HTTPTypes
import LadingHTTP
import LadingOperations
import LadingTesting
import MarsPhotos
import Testing

@testable import Window

/// Lifetimes of images in memory.
@Suite struct ImageLifetimeTests {
    private let executor = ScriptedExecutor()
    private let clock = ManualClock()
    private let queue = BackendQueue()

    init() {
        executor.script(PhotoWire.image(1), .response(headers: [.contentType: "image/gif"], body: PhotoWire.gif))
    }

    @Test func `The image of an item is requested again after its lifetime`() async throws {
        let list = try #require(URL(string: "http://a.org/items.plist"))
        let url = try #require(URL(string: PhotoWire.image(1)))
        let store = ImageLoader(client: BackendClient(executor: executor), list: list, clock: clock)

        for _ in 0..<2 { _ = try await queue.value(of: store.load(url), priority: .visible) }
        #expect(executor.requests.count == 1)

        clock.advance(by: ImageLoader.lifetime + .seconds(1))
        _ = try await queue.value(of: store.load(url), priority: .visible)
        #expect(executor.requests.count == 2)
    }

    @Test func `A photo and its thumbnail are requested again after their lifetime`() async throws {
        let source = PhotoSourceKind.v1.source(at: PhotoWire.service, client: BackendClient(executor: executor))
        let images = PhotoImageLoader(source, queue: queue, clock: clock)
        let photo = MarsPhoto(
            id: MarsPhotoID(rover: .curiosity, sol: 1_000, key: "1"), camera: Camera("FHAZ"),
            image: try #require(URL(string: PhotoWire.image(1))))

        for _ in 0..<2 {
            _ = try await queue.value(of: images.thumbnail(of: photo, side: PhotoImageLoader.cellSide), priority: .visible)
            _ = try await queue.value(of: images.fullImage(of: photo), priority: .visible)
        }
        #expect(executor.requests.count == 1)

        clock.advance(by: PhotoImageLoader.lifetime + .seconds(1))
        _ = try await queue.value(of: images.thumbnail(of: photo, side: PhotoImageLoader.cellSide), priority: .visible)
        #expect(executor.requests.count == 2)
    }
}
