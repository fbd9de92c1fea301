import ArgumentParser
import Foundation

/// The data directory of the transfers, and the options of the engine.
struct TransferOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Where transfers are written down (default: \(OriginOptions.defaultDirectory.path)).", valueName: "dir"))
    var data: String?

    @OptionGroup var engine: EngineOptions

    var directory: URL { OriginOptions.directory(named: data) }
}

/// Whether a transfer runs in the background.
struct BackgroundOption: ParsableArguments {
    @Flag(help: "Leave the transfer to the running \"lading run\", and print its id.")
    var background = false
}
