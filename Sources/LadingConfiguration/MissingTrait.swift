#if !Configuration
    public import LadingHTTP

    extension BackendEnvironment {
        /// Creates an environment from a configuration; it exists with the trait Configuration.
        @available(*, unavailable, message: "enable the trait Configuration of the package lading")
        public nonisolated(nonsending) init<Reader>(_ name: String, from config: Reader) async throws {
            fatalError("enable the trait Configuration of the package lading")
        }
    }
#endif
