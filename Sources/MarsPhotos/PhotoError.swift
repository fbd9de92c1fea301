/// What a service of photos answers beside photos.
public enum PhotoError: Error, Hashable, Sendable {
    /// The service has no rover of this name.
    case unknownRover(String)
}

extension PhotoError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unknownRover(let name): "there is no rover \(name.prefix(Rover.nameLimit)) here"
        }
    }
}
