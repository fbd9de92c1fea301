/// A schedule without its operations, only with their names: what a record keeps, so that it keeps no results alive.
extension OperationSchedule {
    func mapPayloads<Other>(_ name: (Payload) -> Other) -> OperationSchedule<Other> {
        var other = OperationSchedule<Other>(plan: plan)
        other.wishes = wishes.mapElements { $0.map(name) }
        other.flights = flights.mapElements { $0.map(name) }
        other.joinable = joinable
        other.lanes = lanes
        other.laneIDs = laneIDs
        other.latestLane = latestLane
        other.exclusions = exclusions
        other.paused = paused
        other.isWindingUp = isWindingUp
        other.alarms = alarms
        other.nextAlarm = nextAlarm
        other.arrivals = arrivals
        return other
    }
}

extension OperationSchedule.Event {
    func mapPayload<Other>(_ name: (Payload) -> Other) -> OperationSchedule<Other>.Event {
        switch self {
        case .join(let flight, let submission, let payload, let demand): .join(flight, submission, name(payload), demand)
        case .begin(let submission, let payload, let demand, let dependencies):
            .begin(submission, name(payload), demand, after: dependencies)
        case .letGo(let wish): .letGo(wish)
        case .ask(let wish, let claim): .ask(wish, claim)
        case .withdraw(let wish): .withdraw(wish)
        case .withdrawAll: .withdrawAll
        case .met(let flight): .met(flight)
        case .finish(let flight, let settlement): .finish(flight, settlement)
        case .rest(let flight, let time): .rest(flight, until: time)
        case .close(let flight): .close(flight)
        case .proceed(let flight, let wish): .proceed(flight, with: wish)
        case .nearEnd(let flight): .nearEnd(flight)
        case .pause(let scope): .pause(scope)
        case .resume(let scope): .resume(scope)
        case .hold(let wish): .hold(wish)
        case .free(let wish): .free(wish)
        case .windUp: .windUp
        case .watch(let wish): .watch(wish)
        case .ring(let now): .ring(now)
        }
    }
}

extension OperationSchedule.Effect {
    func mapPayload<Other>(_ name: (Payload) -> Other) -> OperationSchedule<Other>.Effect {
        switch self {
        case .enlist(let wish, let payload, let enlistment): .enlist(wish, name(payload), enlistment)
        case .check(let flight, let payload): .check(flight, name(payload))
        case .run(let flight, let payload): .run(flight, name(payload))
        case .interrupt(let flight, let payload): .interrupt(flight, name(payload))
        case .turn(let flight, let payload, let phase): .turn(flight, name(payload), phase)
        case .settle(let wish, let payload, let settlement, let circumstances):
            .settle(
                wish, name(payload), settlement,
                .init(
                    claim: circumstances.claim, parent: circumstances.parent.map(name), flight: circumstances.flight,
                    isLast: circumstances.isLast))
        case .wake(let time): .wake(at: time)
        }
    }
}
