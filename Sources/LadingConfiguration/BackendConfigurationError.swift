/// What is wrong with a value from which an environment was to be made.
public struct BackendConfigurationError: Error, CustomStringConvertible {
    /// The key as it was asked for, such as `orders.timeLimit`.
    public let key: String
    /// What is wrong, in one line for people.
    public let problem: String

    public var description: String { "\(key): \(problem)" }
}
