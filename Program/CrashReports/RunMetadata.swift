package import Foundation

/// The metadata of a run, known at its start: version, command, system and time.
package struct RunMetadata: Codable, Equatable, Sendable {
    package var version: String
    /// The subcommand without its options, which may contain addresses and keys.
    package var command: String
    package var system: String
    package var architecture: String
    package var started: Date
    /// Whether Swift's backtracer was active.
    package var hasBacktrace: Bool

    private enum CodingKeys: String, CodingKey {
        case version, command, system, architecture, started
        case hasBacktrace = "isCaught"
    }

    package init(
        version: String, command: String, system: String, architecture: String = Self.architecture, started: Date, hasBacktrace: Bool
    ) {
        self.version = version
        self.command = command
        self.system = system
        self.architecture = architecture
        self.started = started
        self.hasBacktrace = hasBacktrace
    }

    /// The processor architecture of the build.
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
