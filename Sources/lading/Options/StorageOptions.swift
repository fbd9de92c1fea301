import ArgumentParser
import Foundation

/// The storage of a window's downloads and queued writes.
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

    /// The data directory; nil when nothing is stored.
    var directory: URL? {
        inMemory ? nil : OriginOptions.directory(named: data)
    }
}
