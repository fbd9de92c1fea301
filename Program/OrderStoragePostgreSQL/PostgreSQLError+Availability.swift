#if PostgreSQL
    import OrderStorage
    package import PostgreSQLClient

    extension PostgreSQLError: UnavailableStoreError {
        package var isUnavailable: Bool {
            switch self {
            case .unreachable, .outcomeUnknown, .interrupted, .timedOut, .poolExhausted, .shutDown: true
            case .refused(let refusal): refusal.state.isTemporary
            case .invalidAddress, .unexpectedValue: false
            }
        }

        package var isDiskFull: Bool {
            if case .refused(let refusal) = self { refusal.state == .diskFull } else { false }
        }
    }
#endif
