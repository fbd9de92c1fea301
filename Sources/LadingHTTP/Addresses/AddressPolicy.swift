/// The addresses that an exchange may connect to.
public enum AddressPolicy: Hashable, Sendable {
    /// Any address.
    case any
    /// Public addresses only; see `IPAddress.isPublic`.
    case publicOnly

    /// Whether an exchange may connect to an address.
    public func allows(_ address: IPAddress) -> Bool {
        switch self {
        case .any: true
        case .publicOnly: address.isPublic
        }
    }
}
