/// What a kind of link is like: how much it carries, how long it takes, how much it loses.
///
/// The figures are those that testing tools publish for links of these names, so that results can be compared: `dsl`, `3g`,
/// `edge` and `lte` are WebPageTest's, `wifi` is that of Firefox's network monitor. `lossy` is our own: the `3g` link with one
/// segment in twenty lost.
package struct LinkProfile: Hashable, Sendable {
    package let name: String
    /// Towards the client, in kbit/s.
    package let down: Int
    /// Towards the server, in kbit/s.
    package let up: Int
    /// What a segment without length takes there and back.
    package let roundTrip: Duration
    /// The share of segments that get lost, from 0 up to 1.
    package let loss: Double

    package static let wifi = LinkProfile(name: "wifi", down: 30_000, up: 15_000, roundTrip: .milliseconds(2))
    package static let lte = LinkProfile(name: "lte", down: 12_000, up: 12_000, roundTrip: .milliseconds(70))
    package static let dsl = LinkProfile(name: "dsl", down: 1_500, up: 384, roundTrip: .milliseconds(50))
    package static let thirdGeneration = LinkProfile(name: "3g", down: 1_600, up: 768, roundTrip: .milliseconds(300))
    package static let edge = LinkProfile(name: "edge", down: 240, up: 200, roundTrip: .milliseconds(840))
    package static let lossy = LinkProfile(name: "lossy", down: 1_600, up: 768, roundTrip: .milliseconds(300), loss: 0.05)

    /// All there are, the quickest first.
    package static let all = [wifi, lte, dsl, thirdGeneration, edge, lossy]

    /// Nil when no link has this name.
    package static func named(_ name: String) -> LinkProfile? {
        all.first { $0.name == name }
    }

    init(name: String, down: Int, up: Int, roundTrip: Duration, loss: Double = 0) {
        precondition(down > 0 && up > 0 && (0..<1).contains(loss), "A link carries something.")
        self.name = name
        self.down = down
        self.up = up
        self.roundTrip = roundTrip
        self.loss = loss
    }
}
