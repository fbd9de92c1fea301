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

    /// Simulates transfers of photos one after another until the lane is narrowed; returns their number, or 0 if that exceeds 100.
    private mutating func transfersUntilNarrowed(_ bytesPerSecond: Double, isShared: Bool) -> Int {
        for count in 1...100 {
            simulateTransfers(bytesPerSecond, of: 120_000, timeToFirstByte: .milliseconds(60), times: 1, isShared: isShared)
            if concurrency.width != nil { return count }
        }
        return 0
    }

    /// Records a transfer that ran alone. The times are in milliseconds.
    private mutating func record(waiting: Int, receiving: Int, bytes: Int) {
        let firstByteAt = now + .milliseconds(waiting)
        let endedAt = firstByteAt + .milliseconds(receiving)
        concurrency.record(
            .init(beganAt: now, firstByteAt: firstByteAt, endedAt: endedAt, bytes: bytes), running: 1, limits: Self.limits)
        now = endedAt
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

    @Test(arguments: [(60, 2, 1), (150, 4, 1), (250, 5, 1), (310, nil, 2)] as [(Int, Int?, Int)])
    mutating func `The longer a transfer waits for its first byte, the more run at once, and half as many prefetches`(
        waiting: Int, width: Int?, prefetchWidth: Int
    ) {
        record(waiting: waiting, receiving: 100, bytes: 100_000)

        #expect(concurrency.width == width)
        #expect(concurrency.prefetchWidth == prefetchWidth)
    }

    @Test mutating func `A later transfer moves the averages by a quarter`() {
        record(waiting: 100, receiving: 100, bytes: 100_000)
        #expect(concurrency.width == 3)

        // On average 160 ms of waiting and 75 ms of receiving: 3.2 other transfers fill the link meanwhile.
        record(waiting: 340, receiving: 1, bytes: 1_200)

        #expect(concurrency.width == 5)
    }

    @Test(arguments: [(16_383, nil), (16_384, 2)] as [(Int, Int?)])
    mutating func `Only responses of at least 16 KiB measure the throughput`(bytes: Int, width: Int?) {
        record(waiting: 60, receiving: 240, bytes: bytes)

        #expect(concurrency.width == width)
    }

    @Test mutating func `A large response that arrives with its first byte measures no throughput`() {
        record(waiting: 60, receiving: 0, bytes: 120_000)

        simulateTransfers(187_500, of: 120_000, timeToFirstByte: .milliseconds(60), times: 12)

        #expect(concurrency.width == 2)
    }

    @Test mutating func `Small responses keep the lane at its full width`() {
        simulateTransfers(187_500, of: 1_200, timeToFirstByte: .milliseconds(55), times: 20)

        #expect(concurrency.width == nil && concurrency.prefetchWidth == nil)
    }

    @Test mutating func `A link that limits each connection restores the full width after four transfers, each time for 64 transfers`() {
        #expect(transfersUntilNarrowed(50_000, isShared: false) == 1)

        for _ in 1...2 {
            simulateTransfers(50_000, of: 120_000, timeToFirstByte: .milliseconds(60), times: 3, isShared: false)
            #expect(concurrency.width == 2)
            simulateTransfers(50_000, of: 120_000, timeToFirstByte: .milliseconds(60), times: 1, isShared: false)
            #expect(concurrency.width == nil)
            #expect(transfersUntilNarrowed(50_000, isShared: false) == 64)
        }
    }

    @Test mutating func `A lane is narrowed for good once its link no longer limits each connection`() {
        simulateTransfers(50_000, of: 120_000, timeToFirstByte: .milliseconds(60), times: 5, isShared: false)
        #expect(concurrency.width == nil)

        #expect(transfersUntilNarrowed(187_500, isShared: true) == 64)
        simulateTransfers(187_500, of: 120_000, timeToFirstByte: .milliseconds(60), times: 40)

        #expect(concurrency.width == 2)
    }

    @Test mutating func `A lane is widened again when small responses follow photos`() {
        simulateTransfers(187_500, of: 120_000, timeToFirstByte: .milliseconds(60), times: 5)
        simulateTransfers(187_500, of: 1_200, timeToFirstByte: .milliseconds(60), times: 20)

        #expect(concurrency.width == nil)
    }

    @Test(arguments: [nil, 6] as [Int?])
    mutating func `A lane without a minimum width below its width is never narrowed`(minimumWidth: Int?) {
        let limits = LaneLimits(width: 6, reserved: 2, minimumWidth: minimumWidth)

        for _ in 0..<10 { concurrency.record(Self.photo, running: 6, limits: limits) }

        #expect(concurrency.width == nil && concurrency.prefetchWidth == nil)
    }

    // MARK: Scheduling

    @Test(arguments: [(1, 3), (2, 4)]) func `Running transfers of a lane are assumed to share its link`(running: Int, width: Int) throws {
        var harness = ScheduleHarness(width: 6, minimumWidth: 2)
        harness.begin("cold", .visible)
        harness.finish("cold")
        for number in 1...running { harness.begin("\(number)", .visible) }
        let flight = try #require(harness.flights["1"])
        let transfer = AdaptiveConcurrency.Sample(
            beganAt: .zero, firstByteAt: .milliseconds(100), endedAt: .milliseconds(200), bytes: 100_000)

        harness.handle(.recordTransfer(flight, transfer))

        #expect(harness.schedule.laneStatuses.map(\.width) == [width])
    }

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
