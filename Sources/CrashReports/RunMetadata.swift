package import Foundation

/// What is known of a run of the program before anything has gone wrong: which program, where, since when.
package struct RunMetadata: Codable, Equatable, Sendable {
    package var version: String
    /// The subcommand, without its options: these may hold addresses and keys.
    package var command: String
    package var system: String
    package var architecture: String
    package var started: Date
    /// Whether Swift's backtracer was there to catch a crash.
    package var hasBacktracer: Bool

    private enum CodingKeys: String, CodingKey {
        case version, command, system, architecture, started
        case hasBacktracer = "isCaught"
    }

    package init(
        version: String, command: String, system: String, architecture: String = Self.architecture, started: Date, hasBacktracer: Bool
    ) {
        self.version = version
        self.command = command
        self.system = system
        self.architecture = architecture
        self.started = started
        self.hasBacktracer = hasBacktracer
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
