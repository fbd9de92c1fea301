import ArgumentParser
import Foundation
import Origin

/// What the origin serves and where it keeps it.
struct OriginOptions: ParsableArguments {
    @Option(name: .customLong("orders"), help: "How many orders the demo city has.")
    var orderCount = 400

    @Option(help: "Another seed makes another city.")
    var seed: UInt64 = 1

    @Option(help: ArgumentHelp("Where data is kept (default: \(Self.defaultDirectory.path)).", valueName: "dir"))
    var data: String?

    @Flag(help: "Keep nothing on disk.")
    var inMemory = false

    func validate() throws {
        if orderCount < 0 { throw ValidationError("--orders takes a number from 0.") }
        if inMemory, data != nil { throw ValidationError("--in-memory keeps nothing on disk: leave out --data.") }
    }

    func configuration(host: String, port: Int) -> OriginConfiguration {
        OriginConfiguration(host: host, port: port, storage: storage, orders: orderCount, seed: seed)
    }

    private var storage: OriginConfiguration.Storage {
        inMemory ? .inMemory : .directory(data.map { URL(filePath: $0) } ?? Self.defaultDirectory)
    }

    /// The user's data folder for this program.
    private static var defaultDirectory: URL {
        let folders = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask)
        return (folders.first ?? FileManager.default.temporaryDirectory).appending(path: "lading", directoryHint: .isDirectory)
    }
}
