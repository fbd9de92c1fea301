public import Testing

extension ExecutorConformance {
    /// A requirement of an executor, named by a sentence.
    public struct Case: Sendable, CustomTestStringConvertible {
        public let name: String
        /// The optional capabilities that the case requires.
        let capabilities: Set<Capability>
        /// Whether the case needs a socket.
        let needsNetwork: Bool
        /// The read timeout of the executor.
        let readTimeout: Duration
        let check: @Sendable (ExecutorTestContext) async throws -> Void

        public var testDescription: String { name }

        init(
            _ name: String, capabilities: Set<Capability> = [], needsNetwork: Bool = true, readTimeout: Duration = .seconds(60),
            check: @escaping @Sendable (ExecutorTestContext) async throws -> Void
        ) {
            self.name = name
            self.capabilities = capabilities
            self.needsNetwork = needsNetwork
            self.readTimeout = readTimeout
            self.check = check
        }

        static let all =
            responses + receiving + requests + uploads + interruptedUploads + framing + bodies + codings + invalidResponses + redirects
            + timeouts
            + cancellations + addresses
    }
}
