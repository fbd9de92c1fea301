public import Testing

extension ExecutorConformance {
    /// One thing that an executor must do, told in a sentence.
    public struct Case: Sendable, CustomTestStringConvertible {
        public let name: String
        /// What it asks of the executor beyond what each must do.
        let capabilities: Set<Capability>
        /// Whether it can only be seen over a socket.
        let needsNetwork: Bool
        /// The limit of silence that the executor is made with.
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
            responses + receiving + requests + uploads + interruptedUploads + framing + bodies + codings + invalidResponses + redirects + timeouts
            + cancellations + addresses
    }
}
