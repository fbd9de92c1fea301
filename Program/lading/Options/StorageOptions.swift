import ArgumentParser
import Foundation

/// The storage of a window's downloads and queued writes.
struct StorageOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The directory of stored lists, images and pending changes (default: \(OriginOptions.defaultDirectory.path)).",
            valueName: "dir"))
    var data: String?

    @Flag(help: "Store nothing on disk.")
    var inMemory = false

    func validate() throws {
        if inMemory, data != nil { throw ValidationError("--in-memory stores nothing on disk: remove --data.") }
        try OriginOptions.validate(data: data)
    }

    /// The data directory; nil when nothing is stored.
    var directory: URL? {
        inMemory ? nil : OriginOptions.directory(named: data)
    }
}
