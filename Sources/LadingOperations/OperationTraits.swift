/// What is out of the ordinary about an operation. An object, so that the others need no room for it.
final class OperationTraits: Sendable {
    let rules: OperationRules?
    /// What a schedule has to know of it.
    let flight: FlightTraits

    init(_ rules: OperationRules?, _ flight: FlightTraits) {
        self.rules = rules
        self.flight = flight
    }

    /// Nil when there is nothing out of the ordinary.
    static func of(_ key: OperationKey?, _ value: Any.Type, _ rules: OperationRules?, runsAnyway: Bool) -> OperationTraits? {
        if case .none = key, case .none = rules, !runsAnyway { return nil }
        let flight = FlightTraits(
            key: key.map { JoinKey(key: $0, value: ObjectIdentifier(value)) }, exclusion: rules?.exclusion, runsAnyway: runsAnyway,
            isConditional: rules?.conditions.isEmpty == false)
        return OperationTraits(rules, flight)
    }
}
