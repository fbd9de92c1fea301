/// What is out of the ordinary about an operation. An object, so that the others need no room for it.
final class OperationAttributes: Sendable {
    let rules: OperationRules?
    /// What a schedule has to know of it.
    let flight: FlightAttributes

    init(_ rules: OperationRules?, _ flight: FlightAttributes) {
        self.rules = rules
        self.flight = flight
    }

    /// Nil when there is nothing out of the ordinary.
    static func make(_ key: OperationKey?, _ value: Any.Type, _ rules: OperationRules?, runsOnFailure: Bool) -> OperationAttributes? {
        if case .none = key, case .none = rules, !runsOnFailure { return nil }
        let flight = FlightAttributes(
            key: key.map { JoinKey(key: $0, valueType: ObjectIdentifier(value)) }, exclusionGroup: rules?.exclusionGroup, runsOnFailure: runsOnFailure,
            hasConditions: rules?.conditions.isEmpty == false)
        return OperationAttributes(rules, flight)
    }
}
