import Foundation
import LadingHTTP
import Testing

@testable import Window

/// Retries of failed images and their URLs.
@Suite struct FailedImagesTests {
    private let url = URL(string: "http://a.org/1.png")!
    private let failedImages = FailedImages()

    private func fail(_ url: URL) { failedImages.record(.failure(BackendError.timedOut(url, after: .seconds(1))), of: url, nil) }

    @Test func `A failed image gets one new URL per failure`() {
        #expect(!failedImages.markForRetry(url) { _ in true })
        fail(url)
        fail(url)
        #expect(failedImages.retryCount(of: url) == 0)

        #expect(failedImages.markForRetry(url) { _ in true } && failedImages.markForRetry(url) { _ in true })
        #expect(failedImages.retryCount(of: url) == 1)
        fail(url)
        #expect(failedImages.markForRetry([url]) { _ in true })
        #expect(failedImages.retryCount(of: url) == 2)
    }

    @Test func `An image refused with 404, or failed at another host, preserves its URL`() {
        failedImages.record(.failure(BackendError.status(404, url)), of: url, nil)
        #expect(!failedImages.markForRetry(url) { _ in true })

        fail(url)
        #expect(!failedImages.markForRetry(url) { $0.isFailure(of: "b.org") })
        #expect(failedImages.retryCount(of: url) == 0)
    }

    @Test func `An image whose server failed with 502 gets a new URL`() {
        failedImages.record(.failure(BackendError.status(502, url)), of: url, nil)

        #expect(failedImages.markForRetry(url) { $0.isFailure(of: "a.org") })
    }

    @Test func `The number of failed images is bounded and the oldest are evicted`() {
        for number in 0...FailedImages.limit { fail(url.appending(path: "\(number)")) }

        #expect(!failedImages.markForRetry(url.appending(path: "0")) { _ in true })
        #expect(failedImages.markForRetry(url.appending(path: "1")) { _ in true })
    }

    @Test func `A URL carries its retry count`() {
        #expect("/a".addingRetryCount(0) == "/a")
        #expect("/a".addingRetryCount(2) == "/a?again=2")
        #expect("/a?v=1".addingRetryCount(2) == "/a?v=1&again=2")
    }
}
