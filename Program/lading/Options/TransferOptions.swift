import ArgumentParser
import Foundation

/// The data directory of the transfers, and the options of the engine.
struct TransferOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The data directory of transfers (default: \(OriginOptions.defaultDirectory.path)).", valueName: "dir"))
    var data: String?

    @OptionGroup var engine: EngineOptions

    func validate() throws { try OriginOptions.validate(data: data) }

    var directory: URL { OriginOptions.directory(named: data) }
}

/// Whether a transfer runs in the background.
struct BackgroundOption: ParsableArguments {
    @Flag(help: "Hand the transfer to the running \"lading run\", and print its id.")
    var background = false
}
