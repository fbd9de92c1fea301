import Foundation
import HTTPTypes
import LadingHTTP
import LadingOperations
import LadingTesting
import MarsPhotos
import Testing

@testable import Window

/// For how long pictures are handed out from memory.
@Suite struct PictureAgeTests {
    private let executor = ScriptedExecutor()
    private let clock = ManualClock()
    private let queue = BackendQueue()

    init() {
        executor.script(PhotoWire.image(1), .reply(headers: [.contentType: "image/gif"], body: PhotoWire.picture))
    }

    @Test func `The picture of an item is asked for again when it has been kept for a while`() async throws {
        let list = try #require(URL(string: "http://a.org/items.plist"))
        let url = try #require(URL(string: PhotoWire.image(1)))
        let store = PictureStore(client: BackendClient(executor: executor), namedBy: list, clock: clock)

        for _ in 0..<2 { _ = try await queue.value(of: store.load(url), priority: .visible) }
        #expect(executor.requests.count == 1)

        clock.advance(by: PictureStore.lifetime + .seconds(1))
        _ = try await queue.value(of: store.load(url), priority: .visible)
        #expect(executor.requests.count == 2)
    }

    @Test func `A photo and its thumbnail are asked for again when they have been kept for a while`() async throws {
        let source = PhotoSourceKind.v1.source(at: PhotoWire.service, client: BackendClient(executor: executor))
        let pictures = PhotoPictures(source, queue: queue, clock: clock)
        let photo = MarsPhoto(
            id: MarsPhotoID(rover: .curiosity, sol: 1_000, key: "1"), camera: Camera("FHAZ"),
            image: try #require(URL(string: PhotoWire.image(1))))

        for _ in 0..<2 {
            _ = try await queue.value(of: pictures.thumbnail(of: photo, side: PhotoPictures.cellSide), priority: .visible)
            _ = try await queue.value(of: pictures.whole(photo), priority: .visible)
        }
        #expect(executor.requests.count == 1)

        clock.advance(by: PhotoPictures.lifetime + .seconds(1))
        _ = try await queue.value(of: pictures.thumbnail(of: photo, side: PhotoPictures.cellSide), priority: .visible)
        #expect(executor.requests.count == 2)
    }
}
