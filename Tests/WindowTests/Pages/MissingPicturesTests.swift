import Foundation
import LadingHTTP
import Testing

@testable import Window

/// Which pictures are requested again, and under which address.
@Suite struct MissingPicturesTests {
    private let url = URL(string: "http://a.org/1.png")!
    private let missing = MissingPictures()

    private func fail(_ url: URL) { missing.note(.failure(BackendError.timedOut(url, after: .seconds(1))), of: url, nil) }

    @Test func `A picture that was missing gets another address once for each time`() {
        #expect(!missing.renew(url) { _ in true })
        fail(url)
        fail(url)
        #expect(missing.round(of: url) == 0)

        #expect(missing.renew(url) { _ in true } && missing.renew(url) { _ in true })
        #expect(missing.round(of: url) == 1)
        fail(url)
        #expect(missing.renew([url]) { _ in true })
        #expect(missing.round(of: url) == 2)
    }

    @Test func `A picture that was refused, or is missing for another reason, keeps its address`() {
        missing.note(.failure(BackendError.status(404, url)), of: url, nil)
        #expect(!missing.renew(url) { _ in true })

        fail(url)
        #expect(!missing.renew(url) { $0.isFailure(of: "b.org") })
        #expect(missing.round(of: url) == 0)
    }

    @Test func `A picture whose server answered with a failure of its own gets another address`() {
        missing.note(.failure(BackendError.status(502, url)), of: url, nil)

        #expect(missing.renew(url) { $0.isFailure(of: "a.org") })
    }

    @Test func `The number of pictures is bounded; the oldest go`() {
        for number in 0...MissingPictures.limit { fail(url.appending(path: "\(number)")) }

        #expect(!missing.renew(url.appending(path: "0")) { _ in true })
        #expect(missing.renew(url.appending(path: "1")) { _ in true })
    }

    @Test func `An address says which round it is of`() {
        #expect("/a".again(0) == "/a")
        #expect("/a".again(2) == "/a?again=2")
        #expect("/a?v=1".again(2) == "/a?v=1&again=2")
    }
}
