package import Foundation

/// What is known of a run of the program before anything has gone wrong: which program, where, since when.
package struct RunFacts: Codable, Equatable, Sendable {
    package var version: String
    /// The subcommand, without its options: these may hold addresses and keys.
    package var command: String
    package var system: String
    package var architecture: String
    package var started: Date
    /// Whether Swift's backtracer was there to catch a crash.
    package var isCaught: Bool

    package init(
        version: String, command: String, system: String, architecture: String = Self.architecture, started: Date, isCaught: Bool
    ) {
        self.version = version
        self.command = command
        self.system = system
        self.architecture = architecture
        self.started = started
        self.isCaught = isCaught
    }

    /// The processor that the program was built for.
    package static var architecture: String {
        #if arch(x86_64)
            "x86_64"
        #elseif arch(arm64)
            "arm64"
        #else
            "unknown"
        #endif
    }
}
