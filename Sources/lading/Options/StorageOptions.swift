import ArgumentParser
import Foundation

/// Where a window keeps what it has fetched, and what is to be sent.
struct StorageOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Where deliveries, orders, photo lists, pictures and what waits to be sent are kept (default: \(OriginOptions.defaultDirectory.path)).",
            valueName: "dir"))
    var data: String?

    @Flag(help: "Keep nothing on disk.")
    var inMemory = false

    func validate() throws {
        if inMemory, data != nil { throw ValidationError("--in-memory keeps nothing on disk: leave out --data.") }
    }

    /// nil when nothing is kept.
    var directory: URL? {
        inMemory ? nil : OriginOptions.directory(named: data)
    }
}
