import Foundation
import LadingFeeds
import Testing

@Suite struct RecordableTests {
    private struct Parcel: Recordable, Codable {
        var id = 1
        var address = "x"
        var colour = "x"
        var height = 2
        var label = "x"
        var sender = "x"
        var title = "x"
        var weight = 3

        var facts: RecordFacts { RecordFacts(text: [title]) }
    }

    @Test func `A row is the same bytes each time`() throws {
        let text = #"{"address":"x","colour":"x","height":2,"id":1,"label":"x","sender":"x","title":"x","weight":3}"#

        #expect(String(decoding: try Parcel().encoded(), as: UTF8.self) == text)
    }
}
