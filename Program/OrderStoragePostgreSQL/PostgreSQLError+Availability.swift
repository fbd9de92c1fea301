#if PostgreSQL
    import OrderStorage
    package import PostgreSQLClient

    extension PostgreSQLError: UnavailableStoreError {
        package var isUnavailable: Bool {
            switch self {
            case .unreachable, .outcomeUnknown, .interrupted, .timedOut, .poolExhausted, .shutDown: true
            case .refused(let rejection): rejection.state.isTemporary
            case .invalidAddress, .unexpectedValue: false
            }
        }

        /// Whether commands on other orders would fail too. A command waits for a connection also because its order is locked.
        var concernsWholeDatabase: Bool {
            switch self {
            case .refused, .poolExhausted: false
            default: isUnavailable
            }
        }

        package var isDiskFull: Bool {
            if case .refused(let rejection) = self { rejection.state == .diskFull } else { false }
        }
    }
#endif
