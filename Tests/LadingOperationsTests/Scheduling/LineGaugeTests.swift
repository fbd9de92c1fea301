import Testing

@testable import LadingOperations

/// How many transfers fill a line, as tables: what they took in, a width out.
@Suite struct LineGaugeTests {
    private static let limits = LaneLimits(width: 6, reserved: 2, narrowest: 2)
    private var gauge = LineGauge()
    private var now = Duration.zero

    /// Transfers that share a line, as many at once as the lane lets run; they begin and end together.
    private mutating func share(
        _ bytesPerSecond: Double, of bytes: Int, waiting: Duration, times: Int, isShared: Bool = true
    ) {
        var left = times
        while left > 0 {
            let count = gauge.width(within: Self.limits)
            let received = Double(bytes) / bytesPerSecond * (isShared ? Double(count) : 1)
            let first = now + waiting
            let transfer = LineGauge.Transfer(beganAt: now, firstByteAt: first, endedAt: first + .seconds(received), bytes: bytes)
            now = transfer.endedAt
            for running in (1...count).reversed() where left > 0 {
                gauge.note(transfer, among: running, limits: Self.limits)
                left -= 1
            }
        }
    }

    private static let photo = LineGauge.Transfer(
        beganAt: .zero, firstByteAt: .milliseconds(60), endedAt: .seconds(4), bytes: 120_000)

    @Test mutating func `The first transfer of a cold lane has the line to itself, whatever it tells`() {
        #expect(gauge.width(within: Self.limits) == 1)
        #expect(gauge.width(within: LaneLimits(width: 6, reserved: 2)) == 6)

        gauge.warm()

        #expect(gauge.width(within: Self.limits) == 6)
    }

    @Test mutating func `After one small reply a cold lane is as wide as it may be`() {
        share(187_500, of: 1_200, waiting: .milliseconds(55), times: 1)

        #expect(gauge.width(within: Self.limits) == 6)
    }

    @Test mutating func `Large transfers over a slow line run two at a time`() {
        share(187_500, of: 120_000, waiting: .milliseconds(60), times: 1)

        #expect(gauge.width == 2)
        share(187_500, of: 120_000, waiting: .milliseconds(60), times: 40)
        #expect(gauge.width == 2)
    }

    @Test mutating func `As many more run as a line would be idle for`() {
        // 100 ms on the line, 150 ms of waiting: one and a half others fill it meanwhile, and half as many more make it three.
        share(1_000_000, of: 100_000, waiting: .milliseconds(150), times: 9)

        #expect(gauge.width == 4)
        #expect(gauge.widthAhead == 1)
    }

    @Test mutating func `What is not visible leaves half of the line to what comes to be seen`() {
        // 19 ms on the line, 70 ms of waiting: it takes five to fill it.
        share(1_500_000, of: 28_000, waiting: .milliseconds(70), times: 12)

        #expect(gauge.widthAhead == 2)
    }

    @Test mutating func `Small replies are all waiting and keep the lane as wide as it is`() {
        share(187_500, of: 1_200, waiting: .milliseconds(55), times: 20)

        #expect(gauge.width == nil && gauge.widthAhead == nil)
    }

    @Test mutating func `A line that is not shared is found out, and left alone for a while`() {
        share(50_000, of: 120_000, waiting: .milliseconds(60), times: 1, isShared: false)
        #expect(gauge.width == 2)
        share(50_000, of: 120_000, waiting: .milliseconds(60), times: LineGauge.trial, isShared: false)
        #expect(gauge.width == nil)

        share(50_000, of: 120_000, waiting: .milliseconds(60), times: LineGauge.patience - 1, isShared: false)
        #expect(gauge.width == nil)
    }

    @Test mutating func `A line on which photos give way to small replies becomes wide again`() {
        share(187_500, of: 120_000, waiting: .milliseconds(60), times: 5)
        share(187_500, of: 1_200, waiting: .milliseconds(60), times: 20)

        #expect(gauge.width == nil)
    }

    @Test mutating func `A lane that is not to be narrowed never is`() {
        let transfer = Self.photo
        for _ in 0..<10 { gauge.note(transfer, among: 6, limits: LaneLimits(width: 6, reserved: 2)) }

        #expect(gauge.width == nil)
    }

    // MARK: In a schedule

    @Test func `In a narrowed lane two visible ones run, and what is not visible when nothing else does`() {
        var pad = SchedulePad(width: 6, reserved: 2, narrowest: 2)
        pad.begin("cold", .visible)
        pad.finish("cold")
        pad.begin("first", .visible)
        for name in ["a", "b", "c"] { pad.begin(name, .prefetch) }
        guard let flight = pad.flights["first"] else { return #expect(Bool(false)) }
        pad.handle(.gauge(flight, Self.photo))

        // The prefetches that began while the lane was wide go on.
        #expect(pad.begin("x", .visible) == [])
        #expect(pad.finish("first").filter { $0.hasPrefix("run") } == [])
        #expect(pad.finish("a").filter { $0.hasPrefix("run") } == [])
        #expect(pad.finish("b").filter { $0.hasPrefix("run") } == ["run x"])
        pad.begin("d", .prefetch)
        #expect(pad.begin("y", .visible).filter { $0.hasPrefix("run") } == [])
        #expect(pad.finish("c").filter { $0.hasPrefix("run") } == ["run y"])
        #expect(pad.finish("x").filter { $0.hasPrefix("run") } == [])
        #expect(pad.finish("y").filter { $0.hasPrefix("run") } == ["run d"])
    }

    @Test(arguments: [Settlement.succeeded, .failed]) func `A cold lane runs one until that has ended, and then as many as it has slots`(
        settlement: Settlement
    ) {
        var pad = SchedulePad(width: 3, reserved: 1, narrowest: 2)

        #expect(pad.begin("a", .visible).filter { $0.hasPrefix("run") } == ["run a"])
        for name in ["b", "c", "d"] { #expect(pad.begin(name, .visible).filter { $0.hasPrefix("run") } == []) }
        #expect(pad.finish("a", settlement).filter { $0.hasPrefix("run") } == ["run b", "run c", "run d"])
    }

    @Test func `A cold lane whose first transfer is cancelled is still cold`() {
        var pad = SchedulePad(width: 3, reserved: 1, narrowest: 2)
        for name in ["a", "b", "c"] { pad.begin(name, .visible) }

        #expect(pad.finish("a", .cancelled).filter { $0.hasPrefix("run") } == ["run b"])
    }

    @Test func `A cold lane whose first transfer takes too long runs others beside it`() throws {
        var pad = SchedulePad(width: 3, reserved: 1, narrowest: 2)
        #expect(pad.begin("a", .visible) == ["run a", "a starts cold"])
        for name in ["b", "c", "d"] { pad.begin(name, .visible) }
        let first = try #require(pad.flights["a"])
        #expect(pad.handle(.limitColdStart(first, until: .seconds(5))) == ["wake at 5.0 seconds"])

        #expect(pad.handle(.ring(.seconds(5))) == ["run b", "run c"])

        // The lane stays open.
        #expect(pad.finish("a", .cancelled).filter { $0.hasPrefix("run") } == ["run d"])
    }

    @Test func `The time of a cancelled first transfer does not run for the one after it`() throws {
        var pad = SchedulePad(width: 3, reserved: 1, narrowest: 2)
        for name in ["a", "b", "c"] { pad.begin(name, .visible) }
        let first = try #require(pad.flights["a"])
        pad.handle(.limitColdStart(first, until: .seconds(5)))
        pad.finish("a", .cancelled)
        let second = try #require(pad.flights["b"])
        pad.handle(.limitColdStart(second, until: .seconds(9)))

        #expect(pad.handle(.ring(.seconds(5))).filter { $0.hasPrefix("run") } == [])
        #expect(pad.handle(.ring(.seconds(9))) == ["run c"])
    }

    @Test func `The time of a first transfer that has ended is of no account`() throws {
        var pad = SchedulePad(width: 3, reserved: 1, narrowest: 2)
        pad.begin("a", .visible)
        let first = try #require(pad.flights["a"])
        pad.handle(.limitColdStart(first, until: .seconds(5)))
        pad.finish("a")

        #expect(pad.handle(.limitColdStart(first, until: .seconds(9))) == [])
        #expect(pad.handle(.ring(.seconds(5))) == [])
        #expect(pad.schedule.alarms.isEmpty)
    }
}
