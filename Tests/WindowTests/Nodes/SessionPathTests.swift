import HTTPTypes
import Testing

@testable import Window

@Suite("Paths of page sessions")
struct SessionPathTests {
    @Test func `The path of a session has its id`() {
        #expect(SessionPath(.get, "/windows/id/events") == .session("id"))
        #expect(SessionPath(.post, "/windows/id/viewport") == .session("id"))
        #expect(SessionPath(.post, "/windows") == .opening)
    }

    @Test(arguments: [
        "//windows/id/events", "/windows//id/events", "windows/id/events", "/windows/id", "/windows/id/events/", "/", "",
        "/orders/id/events",
    ])
    func `Another path has none`(path: String) {
        #expect(SessionPath(.get, path) == nil)
        #expect(SessionPath(.get, "/windows") == nil)
    }
}
