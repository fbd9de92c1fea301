/// A schedule without its operations, only with their names: what a record keeps, so that it keeps no results alive.
extension OperationSchedule {
    func mapPayloads<Other>(_ name: (Payload) -> Other) -> OperationSchedule<Other> {
        var other = OperationSchedule<Other>(plan: plan)
        other.wishes = wishes.mapElements {
            .init(payload: name($0.payload), flight: $0.flight, asked: $0.asked, dependents: $0.dependents, claim: $0.claim)
        }
        other.flights = flights.mapElements {
            .init(
                lane: $0.lane, key: $0.key, mark: $0.mark, runsAnyway: $0.runsAnyway, work: name($0.work),
                phase: $0.phase, wishes: $0.wishes, dependencies: $0.dependencies, claim: $0.claim, stamp: $0.stamp)
        }
        other.joinable = joinable
        other.lanes = lanes
        other.paused = paused
        other.arrivals = arrivals
        return other
    }
}

extension OperationSchedule.Event {
    func mapPayload<Other>(_ name: (Payload) -> Other) -> OperationSchedule<Other>.Event {
        switch self {
        case .join(let flight, let payload, let demand): .join(flight, name(payload), demand)
        case .begin(let submission, let payload, let demand, let dependencies):
            .begin(submission, name(payload), demand, after: dependencies)
        case .letGo(let wish): .letGo(wish)
        case .ask(let wish, let claim): .ask(wish, claim)
        case .withdraw(let wish): .withdraw(wish)
        case .withdrawAll: .withdrawAll
        case .finish(let flight, let settlement): .finish(flight, settlement)
        case .close(let flight): .close(flight)
        case .proceed(let flight, let wish): .proceed(flight, with: wish)
        case .nearEnd(let flight): .nearEnd(flight)
        case .pause(let scope): .pause(scope)
        case .resume(let scope): .resume(scope)
        }
    }
}

extension OperationSchedule.Effect {
    func mapPayload<Other>(_ name: (Payload) -> Other) -> OperationSchedule<Other>.Effect {
        switch self {
        case .enlist(let wish, let payload, let joined): .enlist(wish, name(payload), joined: joined)
        case .run(let flight, let payload): .run(flight, name(payload))
        case .interrupt(let flight, let payload): .interrupt(flight, name(payload))
        case .settle(let wish, let payload, let settlement): .settle(wish, name(payload), settlement)
        }
    }
}
