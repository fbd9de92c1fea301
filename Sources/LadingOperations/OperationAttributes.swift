/// The optional attributes of an operation. A class, so that operations without them store only a nil reference.
final class OperationAttributes: Sendable {
    let rules: OperationRules?
    /// The attributes that the schedule needs.
    let flight: FlightAttributes

    init(_ rules: OperationRules?, _ flight: FlightAttributes) {
        self.rules = rules
        self.flight = flight
    }

    /// Returns the attributes of an operation; nil when it has none.
    static func make(_ key: OperationKey?, _ value: Any.Type, _ rules: OperationRules?, runsOnFailure: Bool) -> OperationAttributes? {
        if case .none = key, case .none = rules, !runsOnFailure { return nil }
        let flight = FlightAttributes(
            key: key.map { JoinKey(key: $0, valueType: ObjectIdentifier(value)) }, exclusionGroup: rules?.exclusionGroup,
            runsOnFailure: runsOnFailure,
            hasConditions: rules?.conditions.isEmpty == false)
        return OperationAttributes(rules, flight)
    }
}
