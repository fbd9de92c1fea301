import ArgumentParser
import Foundation
import Origin
import ServerStartup

/// What the origin serves and where it keeps it.
struct OriginOptions: ParsableArguments {
    @Option(name: .customLong("orders"), help: "How many orders the demo city has (default: \(Self.defaultOrderCount)).")
    var orderCount: Int?

    @Option(help: "Another seed makes another city (default: \(Self.defaultSeed)).")
    var seed: UInt64?

    @Option(help: ArgumentHelp("Where data is kept (default: \(Self.defaultDirectory.path)).", valueName: "dir"))
    var data: String?

    @Flag(help: "Keep nothing on disk.")
    var inMemory = false

    func validate() throws {
        if let orderCount, orderCount < 0 { throw ValidationError("--orders takes a number from 0.") }
        if inMemory, data != nil { throw ValidationError("--in-memory keeps nothing on disk: leave out --data.") }
    }

    func configuration(_ address: ListenAddress, isPortOptional: Bool = false) -> OriginConfiguration {
        OriginConfiguration(
            address: address, isPortOptional: isPortOptional, storage: storage, orders: orderCount ?? Self.defaultOrderCount,
            seed: seed ?? Self.defaultSeed)
    }

    /// The options that were given: they mean nothing where no origin is started.
    var given: [String] {
        [("--orders", orderCount != nil), ("--seed", seed != nil), ("--data", data != nil), ("--in-memory", inMemory)]
            .filter(\.1).map(\.0)
    }

    private static let defaultOrderCount = 400
    private static let defaultSeed: UInt64 = 1

    private var storage: OriginConfiguration.Storage {
        inMemory ? .inMemory : .directory(data.map { URL(filePath: $0) } ?? Self.defaultDirectory)
    }

    /// The user's data folder for this program.
    private static var defaultDirectory: URL {
        let folders = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask)
        return (folders.first ?? FileManager.default.temporaryDirectory).appending(path: "lading", directoryHint: .isDirectory)
    }
}
