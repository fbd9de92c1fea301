#if Configuration
    public import Foundation

    /// An invalid or missing value in the configuration of an environment.
    public struct BackendConfigurationError: LocalizedError, CustomStringConvertible {
        /// The full key, such as `orders.timeLimit`.
        public let key: String
        /// A one-line description of the problem.
        public let problem: String

        public var errorDescription: String? { description }

        public var description: String { "\(key): \(problem)" }
    }
#endif
