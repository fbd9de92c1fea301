/// An error reported by a photo service.
public enum PhotoError: Error, Hashable, Sendable {
    /// The service has no rover with this name.
    case unknownRover(String)
}

extension PhotoError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unknownRover(let name): "no rover \(name.prefix(Rover.nameLimit))"
        }
    }
}
