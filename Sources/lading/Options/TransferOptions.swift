import ArgumentParser
import Foundation

/// Where a transfer is written down, and who carries it.
struct TransferOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Where transfers are written down (default: \(OriginOptions.defaultDirectory.path)).", valueName: "dir"))
    var data: String?

    @OptionGroup var engine: EngineOptions

    var directory: URL { OriginOptions.directory(named: data) }
}

/// Whether to wait for a transfer.
struct BackgroundOption: ParsableArguments {
    @Flag(help: "Leave the transfer to the running \"lading run\", and print its id.")
    var background = false
}
