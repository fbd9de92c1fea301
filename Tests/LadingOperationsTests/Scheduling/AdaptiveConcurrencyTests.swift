import Testing

@testable import LadingOperations

/// Tests of the estimate as tables: transfer samples in, widths out.
@Suite struct AdaptiveConcurrencyTests {
    private static let limits = LaneLimits(width: 6, reserved: 2, minimumWidth: 2)
    private var concurrency = AdaptiveConcurrency()
    private var now = Duration.zero

    /// Simulates transfers that share a link, as many at once as the lane allows; they begin and end together.
    private mutating func simulateTransfers(
        _ bytesPerSecond: Double, of bytes: Int, timeToFirstByte: Duration, times: Int, isShared: Bool = true
    ) {
        var remaining = times
        while remaining > 0 {
            let count = concurrency.width(within: Self.limits)
            let received = Double(bytes) / bytesPerSecond * (isShared ? Double(count) : 1)
            let first = now + timeToFirstByte
            let transfer = AdaptiveConcurrency.Sample(beganAt: now, firstByteAt: first, endedAt: first + .seconds(received), bytes: bytes)
            now = transfer.endedAt
            for running in (1...count).reversed() where remaining > 0 {
                concurrency.record(transfer, running: running, limits: Self.limits)
                remaining -= 1
            }
        }
    }

    private static let photo = AdaptiveConcurrency.Sample(
        beganAt: .zero, firstByteAt: .milliseconds(60), endedAt: .seconds(4), bytes: 120_000)

    @Test mutating func `A cold lane runs one transfer until the cold start ends`() {
        #expect(concurrency.width(within: Self.limits) == 1)
        #expect(concurrency.width(within: LaneLimits(width: 6, reserved: 2)) == 6)

        concurrency.endColdStart()

        #expect(concurrency.width(within: Self.limits) == 6)
    }

    @Test mutating func `A cold lane has its full width after one small response`() {
        simulateTransfers(187_500, of: 1_200, timeToFirstByte: .milliseconds(55), times: 1)

        #expect(concurrency.width(within: Self.limits) == 6)
    }

    @Test mutating func `Large transfers over a slow link run two at a time`() {
        simulateTransfers(187_500, of: 120_000, timeToFirstByte: .milliseconds(60), times: 1)

        #expect(concurrency.width == 2)
        simulateTransfers(187_500, of: 120_000, timeToFirstByte: .milliseconds(60), times: 40)
        #expect(concurrency.width == 2)
    }

    @Test mutating func `Further transfers run while others wait for their first byte`() {
        // 100 ms of receiving, 150 ms of waiting: 1.5 other transfers fill the link meanwhile, and half as many more make it three.
        simulateTransfers(1_000_000, of: 100_000, timeToFirstByte: .milliseconds(150), times: 9)

        #expect(concurrency.width == 4)
        #expect(concurrency.prefetchWidth == 1)
    }

    @Test mutating func `Prefetches fill half of the link and leave the other half to visible work`() {
        // 19 ms of receiving, 70 ms of waiting: five transfers fill the link.
        simulateTransfers(1_500_000, of: 28_000, timeToFirstByte: .milliseconds(70), times: 12)

        #expect(concurrency.prefetchWidth == 2)
    }

    @Test mutating func `Small responses keep the lane at its full width`() {
        simulateTransfers(187_500, of: 1_200, timeToFirstByte: .milliseconds(55), times: 20)

        #expect(concurrency.width == nil && concurrency.prefetchWidth == nil)
    }

    @Test mutating func `A link that limits each connection restores the full width for a while`() {
        simulateTransfers(50_000, of: 120_000, timeToFirstByte: .milliseconds(60), times: 1, isShared: false)
        #expect(concurrency.width == 2)
        simulateTransfers(
            50_000, of: 120_000, timeToFirstByte: .milliseconds(60), times: AdaptiveConcurrency.requiredSampleCount, isShared: false)
        #expect(concurrency.width == nil)

        simulateTransfers(
            50_000, of: 120_000, timeToFirstByte: .milliseconds(60), times: 63, isShared: false)
        #expect(concurrency.width == nil)
    }

    @Test mutating func `A lane is widened again when small responses follow photos`() {
        simulateTransfers(187_500, of: 120_000, timeToFirstByte: .milliseconds(60), times: 5)
        simulateTransfers(187_500, of: 1_200, timeToFirstByte: .milliseconds(60), times: 20)

        #expect(concurrency.width == nil)
    }

    @Test mutating func `A lane without a minimum width is never narrowed`() {
        let transfer = Self.photo
        for _ in 0..<10 { concurrency.record(transfer, running: 6, limits: LaneLimits(width: 6, reserved: 2)) }

        #expect(concurrency.width == nil)
    }

    // MARK: Scheduling

    @Test func `A narrowed lane runs two visible flights, and a prefetch only when nothing else runs`() {
        var harness = ScheduleHarness(width: 6, reserved: 2, minimumWidth: 2)
        harness.begin("cold", .visible)
        harness.finish("cold")
        harness.begin("first", .visible)
        for name in ["a", "b", "c"] { harness.begin(name, .prefetch) }
        guard let flight = harness.flights["first"] else { return #expect(Bool(false)) }
        harness.handle(.recordTransfer(flight, Self.photo))

        // The prefetches that began while the lane was wide continue.
        #expect(harness.begin("x", .visible) == [])
        #expect(harness.finish("first").filter { $0.hasPrefix("run") } == [])
        #expect(harness.finish("a").filter { $0.hasPrefix("run") } == [])
        #expect(harness.finish("b").filter { $0.hasPrefix("run") } == ["run x"])
        harness.begin("d", .prefetch)
        #expect(harness.begin("y", .visible).filter { $0.hasPrefix("run") } == [])
        #expect(harness.finish("c").filter { $0.hasPrefix("run") } == ["run y"])
        #expect(harness.finish("x").filter { $0.hasPrefix("run") } == [])
        #expect(harness.finish("y").filter { $0.hasPrefix("run") } == ["run d"])
    }

    @Test(arguments: [CompletionStatus.succeeded, .failed]) func `A cold lane runs one flight until it has ended, and then fills its slots`(
        settlement: CompletionStatus
    ) {
        var harness = ScheduleHarness(width: 3, reserved: 1, minimumWidth: 2)

        #expect(harness.begin("a", .visible).filter { $0.hasPrefix("run") } == ["run a"])
        for name in ["b", "c", "d"] { #expect(harness.begin(name, .visible).filter { $0.hasPrefix("run") } == []) }
        #expect(harness.finish("a", settlement).filter { $0.hasPrefix("run") } == ["run b", "run c", "run d"])
    }

    @Test func `A cold lane stays cold when its first transfer is cancelled`() {
        var harness = ScheduleHarness(width: 3, reserved: 1, minimumWidth: 2)
        for name in ["a", "b", "c"] { harness.begin(name, .visible) }

        #expect(harness.finish("a", .cancelled).filter { $0.hasPrefix("run") } == ["run b"])
    }

    @Test func `A cold lane starts further transfers when the first one exceeds the cold start timeout`() throws {
        var harness = ScheduleHarness(width: 3, reserved: 1, minimumWidth: 2)
        #expect(harness.begin("a", .visible) == ["run a", "a starts cold"])
        for name in ["b", "c", "d"] { harness.begin(name, .visible) }
        let first = try #require(harness.flights["a"])
        #expect(harness.handle(.limitColdStart(first, until: .seconds(5))) == ["wake at 5.0 seconds"])

        #expect(harness.handle(.fireTimers(.seconds(5))) == ["run b", "run c"])

        // The cold start has ended.
        #expect(harness.finish("a", .cancelled).filter { $0.hasPrefix("run") } == ["run d"])
    }

    @Test func `The cold start timeout of a cancelled transfer does not apply to the next one`() throws {
        var harness = ScheduleHarness(width: 3, reserved: 1, minimumWidth: 2)
        for name in ["a", "b", "c"] { harness.begin(name, .visible) }
        let first = try #require(harness.flights["a"])
        harness.handle(.limitColdStart(first, until: .seconds(5)))
        harness.finish("a", .cancelled)
        let second = try #require(harness.flights["b"])
        harness.handle(.limitColdStart(second, until: .seconds(9)))

        #expect(harness.handle(.fireTimers(.seconds(5))).filter { $0.hasPrefix("run") } == [])
        #expect(harness.handle(.fireTimers(.seconds(9))) == ["run c"])
    }

    @Test func `The cold start timeout of a completed transfer has no effect`() throws {
        var harness = ScheduleHarness(width: 3, reserved: 1, minimumWidth: 2)
        harness.begin("a", .visible)
        let first = try #require(harness.flights["a"])
        harness.handle(.limitColdStart(first, until: .seconds(5)))
        harness.finish("a")

        #expect(harness.handle(.limitColdStart(first, until: .seconds(9))) == [])
        #expect(harness.handle(.fireTimers(.seconds(5))) == [])
        #expect(harness.schedule.timers.isEmpty)
    }
}
