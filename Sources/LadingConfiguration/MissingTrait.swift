#if !Configuration
    public import LadingHTTP

    extension BackendEnvironment {
        /// Creates an environment from a configuration; it exists with the trait Configuration.
        @available(*, unavailable, message: "enable the trait Configuration of the package lading")
        public nonisolated(nonsending) init<Reader>(_ name: String, from config: Reader) async throws {
            // Proof: no call compiles, because the initializer is unavailable.
            fatalError("enable the trait Configuration of the package lading")
        }
    }
#endif
