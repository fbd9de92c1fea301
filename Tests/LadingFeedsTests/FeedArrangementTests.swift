import LadingOperations
import LadingTesting
import Synchronization
import Testing

@testable import LadingFeeds

/// Filtering and sorting what is known, while the rest becomes known.
@Suite struct FeedArrangementTests {
    private let executor = ManualTaskExecutor()
    private let clock = ManualClock()
    private let queue: BackendQueue
    private let feed = LetterFeed()
    private let memory = FeedMemory<LetterFeed>()

    init() {
        queue = BackendQueue(lanes: LanePlan(network: LaneLimits(width: 4, reserved: 1)), executor: executor)
    }

    private func controller() -> FeedController<LetterFeed> {
        FeedController(feed: feed, memory: memory, queue: queue, clock: clock)
    }

    private func started() -> FeedController<LetterFeed> {
        let controller = controller()
        controller.start()
        controller.show(Viewport(visible: 0..<3))
        executor.runAll()
        return controller
    }

    private func letters(_ controller: FeedController<LetterFeed>) -> String {
        controller.list.snapshot.references.map(\.id).joined()
    }

    @Test func `What is known comes first and in order, what is not known stays behind as it was listed`() {
        let controller = started()
        feed.gate.withLock { $0 = Gate() }

        controller.arrange(LetterArrangement(isBackwards: true))
        executor.runAll()

        #expect(letters(controller) == "cbadefghijklmnopqrstuvwxyz")
        #expect(controller.list.snapshot.knownCount == 3)
        #expect(controller.list.snapshot.totalCount == 26)
        #expect(controller.list.arrangements == 1)
    }

    @Test func `The rest is loaded in the background and put in its place`() {
        let controller = started()

        controller.arrange(LetterArrangement(isBackwards: true))
        executor.runAll()

        #expect(letters(controller) == "zyxwvutsrqponmlkjihgfedcba")
        #expect(controller.list.snapshot.knownCount == 26)
        #expect(controller.list.arrangements == 1)
        #expect(queue.isIdle)
    }

    @Test func `A filter shows what it admits and what might be admitted yet`() {
        let controller = started()
        feed.gate.withLock { $0 = Gate() }

        controller.arrange(LetterArrangement(containing: "bz"))
        executor.runAll()
        #expect(letters(controller) == "bdefghijklmnopqrstuvwxyz")

        feed.gate.withLock { $0 }?.open()
        executor.runAll()
        #expect(letters(controller) == "bz")
    }

    @Test func `A plain arrangement shows the list as it came, and the survey ends`() {
        let controller = started()
        feed.gate.withLock { $0 = Gate() }
        controller.arrange(LetterArrangement(isBackwards: true))
        executor.runAll()

        controller.arrange(LetterArrangement())
        executor.runAll()

        #expect(letters(controller) == "abcdefghijklmnopqrstuvwxyz")
        #expect(feed.log.cancelled.count > 0)
        #expect(queue.isIdle)
    }

    @Test func `While rows become known the list is arranged anew at intervals, not for every row`() {
        let controller = started()
        feed.failing.withLock { $0 = ["z"] }
        let gate = Gate()
        feed.gate.withLock { $0 = gate }
        controller.arrange(LetterArrangement(isBackwards: true))
        executor.runAll()
        let number = controller.list.number

        gate.open()
        executor.runAll()

        #expect(controller.list.number <= number + 2)
        #expect(letters(controller) == "yxwvutsrqponmlkjihgfedcbaz")
    }

    @Test func `What is seen comes before what is surveyed`() {
        let controller = started()
        feed.gate.withLock { $0 = Gate() }
        controller.arrange(LetterArrangement(isBackwards: true))
        executor.runAll()
        let before = feed.log.rows.count

        controller.show(Viewport(visible: 20..<22))
        executor.runAll()

        #expect(feed.log.rows.dropFirst(before).first.map { "uv".contains($0) } == true)
    }

    @Test func `Screens that look at a list alike share one arranged list`() {
        let controllers = [started(), started()]
        for controller in controllers { controller.arrange(LetterArrangement(isBackwards: true)) }
        executor.runAll()

        #expect(controllers[0].list.snapshot === controllers[1].list.snapshot)
    }

    @Test func `A refresh keeps the arrangement, and a refresh that fails keeps everything`() {
        let controller = started()
        controller.arrange(LetterArrangement(isBackwards: true))
        executor.runAll()

        feed.isListBroken.withLock { $0 = true }
        controller.refresh()
        executor.runAll()
        #expect(letters(controller) == "zyxwvutsrqponmlkjihgfedcba")

        feed.isListBroken.withLock { $0 = false }
        controller.refresh()
        executor.runAll()
        #expect(letters(controller) == "zyxwvutsrqponmlkjihgfedcba")
        #expect(controller.list.state == .loaded)
        #expect(controller.list.failure == nil)
    }

    @Test func `A refresh loads rows in view again, also when their order stays the same`() {
        let controller = started()
        controller.arrange(LetterArrangement(isBackwards: true))
        executor.runAll()
        feed.edition.withLock { $0 = 2 }

        controller.refresh()
        executor.runAll()

        #expect(letters(controller) == "zyxwvutsrqponmlkjihgfedcba")
        #expect(["z", "y", "x"].map { controller.state(of: $0).row } == ["z2", "y2", "x2"])
        #expect(controller.state(of: "w").row == "w1")
    }

    @Test func `Rows in view that are under way when a sorted list is refreshed are asked for again`() {
        let controller = started()
        controller.arrange(LetterArrangement(isBackwards: true))
        executor.runAll()
        controller.refresh()
        let gate = Gate()
        feed.gate.withLock { $0 = gate }
        executor.runAll()
        #expect(gate.waitingCount == 3)
        feed.edition.withLock { $0 = 2 }

        controller.refresh()
        executor.runAll()
        gate.open()
        executor.runAll()

        #expect(["z", "y", "x"].map { controller.state(of: $0).row } == ["z2", "y2", "x2"])
    }

    @Test func `A refresh tries again what could not be loaded for the arrangement`() {
        feed.failing.withLock { $0 = ["d", "e", "f"] }
        let controller = started()
        controller.arrange(LetterArrangement(isBackwards: true))
        executor.runAll()
        #expect(controller.list.snapshot.knownCount == 23)
        feed.failing.withLock { $0 = [] }

        controller.refresh()
        executor.runAll()

        #expect(controller.list.snapshot.knownCount == 26)
        #expect(letters(controller) == "zyxwvutsrqponmlkjihgfedcba")
    }

    @Test func `Rows that are loaded as they are seen are put in their place`() {
        feed.failing.withLock { $0 = ["d", "e", "f"] }
        let controller = started()
        controller.arrange(LetterArrangement(isBackwards: true))
        executor.runAll()
        feed.failing.withLock { $0 = [] }

        controller.show(Viewport(visible: 23..<26))
        executor.runAll()
        #expect(letters(controller) == "zyxwvutsrqponmlkjihgcbadef")
        clock.advance(by: FeedController<LetterFeed>.rearrangeInterval)
        executor.runAll()

        #expect(letters(controller) == "zyxwvutsrqponmlkjihgfedcba")
    }

    @Test func `Rows that leave the list before they are surveyed hold up no others`() {
        let isLeaving = Mutex(false)
        let controller = FeedController(feed: feed, memory: memory, queue: queue, clock: clock) { [memory] update in
            guard update.isListChanged, isLeaving.withLock({ $0 }) else { return }
            isLeaving.withLock { $0 = false }
            memory.store("abclmnopqrstuvwxyz".map { LetterFeed.Letter(id: String($0)) }, fetched: nil, refreshedAt: nil)
        }
        controller.start()
        controller.show(Viewport(visible: 0..<3))
        executor.runAll()
        // The next thing that is told is the list arranged, just before its survey begins.
        isLeaving.withLock { $0 = true }

        controller.arrange(LetterArrangement(isBackwards: true))
        executor.runAll()

        #expect(letters(controller) == "zyxwvutsrqponmlcba")
        #expect(Set(feed.log.rows).isDisjoint(with: ["d", "e", "f", "g", "h", "i", "j", "k"]))
    }

    @Test func `A survey that was stopped begins anew, with all that is not known then`() {
        var survey = FeedSurvey<Int>()
        var effects: [FeedSurvey<Int>.Effect] = []
        survey.handle(.begin([1, 2]), effects: &effects)
        survey.handle(.ended(1), effects: &effects)
        effects = []

        survey.handle(.stop, effects: &effects)
        survey.handle(.begin([1, 2]), effects: &effects)

        #expect(effects == [.cancel(2), .start(1), .start(2)])
    }

    @Test func `Rows whose failure is forgiven are surveyed again, and no others`() {
        var survey = FeedSurvey<Int>()
        var effects: [FeedSurvey<Int>.Effect] = []
        survey.handle(.begin([1, 2, 3]), effects: &effects)
        for id in 1...3 { survey.handle(.failed(id), effects: &effects) }
        effects = []

        survey.handle(.forgive([1, 3]), effects: &effects)
        survey.handle(.begin([1, 2, 3]), effects: &effects)

        #expect(effects == [.start(1), .start(3)])
    }

    @Test(arguments: [FeedSurvey<Int>.Event.takeAll, .renew])
    func `Rows that failed are surveyed again for another arrangement, and when all are requested`(event: FeedSurvey<Int>.Event) {
        var survey = FeedSurvey<Int>()
        var effects: [FeedSurvey<Int>.Effect] = []
        survey.handle(.begin([1, 2, 3]), effects: &effects)
        survey.handle(.failed(2), effects: &effects)
        for id in [1, 3] { survey.handle(.ended(id), effects: &effects) }
        #expect(survey.failed == [2])
        effects = []

        survey.handle(event, effects: &effects)
        survey.handle(.begin([2]), effects: &effects)

        #expect(effects == [.start(2)])
        #expect(survey.failed.isEmpty)
    }

    @Test func `A survey has an end and a width`() {
        var survey = FeedSurvey<Int>()
        var effects: [FeedSurvey<Int>.Effect] = []
        survey.handle(.begin(Array(0..<5_000)), effects: &effects)
        #expect(effects == (0..<FeedSurvey<Int>.width).map { .start($0) })

        var started = effects.count
        for id in 0..<5_000 {
            effects = []
            survey.handle(.ended(id), effects: &effects)
            started += effects.count
        }

        #expect(started == FeedSurvey<Int>.rowLimit)
        #expect(survey.isDone)
    }
}
