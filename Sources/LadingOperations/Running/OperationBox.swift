extension AnyOperation {
    /// What changes of an operation.
    ///
    /// With all that it consists of, an operation takes 120 bytes. One thread makes it and another one gives its memory back, which neither has to
    /// wait for where pieces are no larger than that (the fast bins of glibc, mallopt(3): `M_MXFAST`). What few operations have lies in `extras`.
    struct Box {
        private var stage: Stage
        var place = Place.nowhere
        var isInterrupted = false
        /// Whether it was paused before it was submitted.
        var isPaused = false
        private var home: Home
        private(set) var extras: Extras?
        private var mark = OperationMark.none

        init(work: Work?, dependencies: ShortList<AnyOperation>, end: OperationEnd?) {
            stage = if let end { .ended(end) } else { work.map { .toDo($0) } ?? .idle }
            home = dependencies.count > 1 ? .afterAll(Array(dependencies)) : dependencies.first.map { .after($0) } ?? .none
        }
    }

    /// What is done with it.
    private enum Stage {
        /// Taken out when it begins, so that a chain of operations is not kept alive by its end.
        case toDo(Work)
        /// Somebody does its work, or checks whether it may be done, for this flight.
        case underway(OperationWorker, FlightID)
        /// Nothing: another does its work, or it is known elsewhere what is to become of it.
        case idle
        case ended(OperationEnd)
    }

    /// What it belongs to.
    private enum Home {
        case none
        /// It has not been submitted yet, and depends on another.
        case after(AnyOperation)
        case afterAll([AnyOperation])
        case queue(BackendQueue)
    }

    /// Where it is in its queue, while it waits or runs there.
    enum Place {
        case nowhere
        /// In the inbox of its queue.
        case posted
        /// In the line of its lane, under its own name.
        case inLine(Ticket)
        case wish(WishID)

        var isNowhere: Bool {
            if case .nowhere = self { true } else { false }
        }
    }

    enum Work {
        case value(@Sendable () async throws -> Value)
        /// Names the operation whose result is to be this one's.
        case next(@Sendable () async throws -> AnyOperation)
    }

    /// An object, so that the others need no room for it. Only the box of its operation refers to it.
    final class Extras {
        var observers = ShortList<Observer>()
        var followers: StateFollowers?
        var progress: OperationProgress?
        /// The operation whose flight it joined.
        var leader: AnyOperation?
        var setbacks: Setbacks?
        /// While its work is a transfer of a lane that finds out what its line carries.
        var transfer: TransferWatch?
        /// What will be done again, or once it is known that it may be.
        fileprivate var work: Work?
        /// How often its work has begun, when it is tried again.
        fileprivate var attempts = 0
        /// Its end, while others still want its work to be done.
        fileprivate var end: OperationEnd?
    }
}

extension AnyOperation.Box {
    /// How it ended; nil until then.
    var end: OperationEnd? {
        if case .ended(let end) = stage { end } else { extras?.end }
    }

    /// The queue it waits or runs in.
    var queue: BackendQueue? {
        if case .queue(let queue) = home { queue } else { nil }
    }

    /// What it depends on, until it is submitted.
    var dependencies: ShortList<AnyOperation> {
        switch home {
        case .none, .queue: ShortList()
        case .after(let dependency): ShortList(dependency)
        case .afterAll(let dependencies): ShortList(dependencies)
        }
    }

    /// When its flight began; nil before it is submitted.
    var flight: OperationMark? { mark == .none ? nil : mark }

    /// Who does its work, and for which flight.
    var underway: (worker: OperationWorker, flight: FlightID)? {
        if case .underway(let worker, let flight) = stage { (worker, flight) } else { nil }
    }

    mutating func extend(_ change: (AnyOperation.Extras) -> Void) {
        let extras = extras ?? AnyOperation.Extras()
        change(extras)
        self.extras = extras
    }

    // MARK: Its way

    /// It has been left for a queue.
    mutating func post(to queue: BackendQueue) {
        home = .queue(queue)
        place = .posted
    }

    /// It waits or runs in a queue, which is nil when it is known already.
    mutating func enter(_ queue: BackendQueue?, at place: AnyOperation.Place, for flight: OperationMark) {
        if let queue { home = .queue(queue) }
        self.place = place
        mark = flight
    }

    /// Nobody needs its work any more, or another one does it.
    mutating func dropWork() {
        extras?.work = nil
        if case .toDo = stage { rest() }
    }

    /// It has ended; others may still want its work to be done.
    mutating func close(_ end: OperationEnd) {
        place = .nowhere
        home = .none
        guard self.end == nil else { return }
        if case .idle = stage { stage = .ended(end) } else { extend { $0.end = end } }
    }

    /// Its work begins.
    ///
    /// - Parameter isKept: Whether it may have to be done again.
    /// - Returns: The work, and how often it has begun; nil when there is none to do.
    mutating func beginWork(by worker: OperationWorker, for flight: FlightID, isKept: Bool) -> (AnyOperation.Work, attempt: Int)? {
        guard case .toDo(let work) = stage else { return nil }
        stage = .underway(worker, flight)
        guard isKept else { return (work, 1) }
        extend { extras in
            extras.work = work
            extras.attempts += 1
        }
        return (work, extras?.attempts ?? 1)
    }

    /// Its work begins later, when it is known that it may.
    mutating func beginCheck(by worker: OperationWorker, for flight: FlightID) {
        if case .toDo(let work) = stage { extend { $0.work = work } }
        stage = .underway(worker, flight)
    }

    /// Its worker belongs to others from here on.
    ///
    /// - Parameter isToBeDone: Whether its work, if it is kept, is done later.
    mutating func endWork(isToBeDone: Bool) {
        let work = extras?.work
        extras?.work = nil
        if isToBeDone, let work { stage = .toDo(work) } else { rest() }
    }

    private mutating func rest() {
        stage = extras?.end.map { .ended($0) } ?? .idle
    }
}

extension OperationMark {
    /// That of no flight: the first of a queue has a later one.
    fileprivate static let none = OperationMark(arrivals: 0)
}
