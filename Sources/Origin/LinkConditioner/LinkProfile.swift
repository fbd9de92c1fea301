/// The bandwidth, latency and loss of a kind of link.
///
/// The figures are those that testing tools publish under these names, so that results are comparable: `dsl`, `3g`, `edge` and `lte` are
/// WebPageTest's,
/// `wifi` is that of Firefox's network monitor. `lossy` is the `3g` link with one segment in twenty lost.
package struct LinkProfile: Hashable, Sendable {
    package let name: String
    /// The bandwidth towards the client, in kbit/s.
    package let down: Int
    /// The bandwidth towards the server, in kbit/s.
    package let up: Int
    /// The round-trip time of a segment without content.
    package let roundTrip: Duration
    /// The fraction of segments that are lost, in 0..<1.
    package let loss: Double

    /// All profiles; the first five are ordered from fast to slow.
    package static let all = [
        LinkProfile(name: "wifi", down: 30_000, up: 15_000, roundTrip: .milliseconds(2)),
        LinkProfile(name: "lte", down: 12_000, up: 12_000, roundTrip: .milliseconds(70)),
        LinkProfile(name: "dsl", down: 1_500, up: 384, roundTrip: .milliseconds(50)),
        LinkProfile(name: "3g", down: 1_600, up: 768, roundTrip: .milliseconds(300)),
        LinkProfile(name: "edge", down: 240, up: 200, roundTrip: .milliseconds(840)),
        LinkProfile(name: "lossy", down: 1_600, up: 768, roundTrip: .milliseconds(300), loss: 0.05),
    ]

    /// Returns the profile with a name; nil when there is none.
    package static func named(_ name: String) -> LinkProfile? {
        all.first { $0.name == name }
    }

    init(name: String, down: Int, up: Int, roundTrip: Duration, loss: Double = 0) {
        precondition(down > 0 && up > 0 && (0..<1).contains(loss), "The bandwidth must be positive, and the loss less than 1.")
        self.name = name
        self.down = down
        self.up = up
        self.roundTrip = roundTrip
        self.loss = loss
    }
}
