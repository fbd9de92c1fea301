import ArgumentParser
import Foundation
import LadingHTTP
import LadingRecording

/// The options for recording and replaying HTTP exchanges.
struct RecordingOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Record all HTTP exchanges in this directory; keys and cookies are removed, bodies are recorded unchanged.",
            valueName: "dir"))
    var record: String?

    @Option(help: ArgumentHelp("Replay responses recorded with --record instead of sending requests.", valueName: "dir"))
    var replay: String?

    func validate() throws {
        if record != nil, replay != nil {
            throw ValidationError("--replay sends no requests to record: use either --record or --replay.")
        }
    }

    /// Returns the executor of the program: the network, or one that records or replays it.
    func executor(over network: any BackendExecutor) throws -> any BackendExecutor {
        if let record { return try RecordingExecutor(network, in: URL(filePath: record, directoryHint: .isDirectory)) }
        if let replay {
            guard FileManager.default.fileExists(atPath: replay) else {
                throw ProgramFailure(message: "no recording in \(replay): create one with \"--record \(replay)\"")
            }
            return try ReplayingExecutor(directory: URL(filePath: replay, directoryHint: .isDirectory))
        }
        return network
    }
}
