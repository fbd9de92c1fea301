import ArgumentParser
import Foundation
import LadingHTTP

/// The options for recording and replaying HTTP exchanges.
struct RecordingOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Record what is exchanged with servers in this directory; keys and cookies are left out, bodies are kept as they are.",
            valueName: "dir"))
    var record: String?

    @Option(help: ArgumentHelp("Answer from such a recording instead of asking servers.", valueName: "dir"))
    var replay: String?

    func validate() throws {
        if record != nil, replay != nil {
            throw ValidationError("--replay asks no server that --record could record: give one or the other.")
        }
    }

    /// Returns the executor of the program: the network, or one that records or replays it.
    func executor(over network: any BackendExecutor) throws -> any BackendExecutor {
        if let record { return try RecordingExecutor(network, in: URL(filePath: record, directoryHint: .isDirectory)) }
        if let replay {
            guard FileManager.default.fileExists(atPath: replay) else {
                throw ProgramFailure(message: "there is no recording in \(replay); \"--record \(replay)\" makes one")
            }
            return try ReplayingExecutor(directory: URL(filePath: replay, directoryHint: .isDirectory))
        }
        return network
    }
}
