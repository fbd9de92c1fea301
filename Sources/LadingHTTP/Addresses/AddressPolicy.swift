/// Which addresses an exchange may connect to.
public enum AddressPolicy: Hashable, Sendable {
    /// Any address.
    case any
    /// None of this machine, of a private network, or otherwise set apart: see `IPAddress.isPublic`.
    case publicOnly

    /// Whether an exchange may connect to an address.
    public func allows(_ address: IPAddress) -> Bool {
        switch self {
        case .any: true
        case .publicOnly: address.isPublic
        }
    }
}
