import ArgumentParser
import Foundation

/// The options for recording and tracing.
struct EngineOptions: ParsableArguments {
    @OptionGroup var recording: RecordingOptions

    @Option(
        help: ArgumentHelp(
            "Write a trace of scheduling decisions to this file, for Chrome (chrome://tracing) or Perfetto (ui.perfetto.dev).",
            valueName: "file"))
    var trace: String?
}
