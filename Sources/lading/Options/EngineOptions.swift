import ArgumentParser
import Foundation

/// The options for recording and tracing.
struct EngineOptions: ParsableArguments {
    @OptionGroup var recording: RecordingOptions

    @Option(
        help: ArgumentHelp(
            "Write what the engine decides to this file; Chrome (chrome://tracing) and Perfetto (ui.perfetto.dev) open it.",
            valueName: "file"))
    var trace: String?
}
