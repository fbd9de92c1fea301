import ArgumentParser
import CacheTraces
import Foundation

/// `lading cache-simulate --size N TRACE…`: prints the hit ratio of a cache.
struct CacheSimulationCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cache-simulate", abstract: "Replay key traces through the cache, and print hit ratios.",
        discussion: """
            A trace has one key per line, plain or gzip-compressed. Prints one line per trace and size: \
            figure TRACE@SIZE HITS %. For several sizes, use --size 100 --size 500 or --size 100,500.
            """)

    @Option(help: ArgumentHelp("The maximum number of keys in the cache.", valueName: "keys"))
    var size: [CacheSizes]

    @Argument(help: ArgumentHelp("Files with one key per line.", valueName: "trace"))
    var traces: [String]

    func validate() throws {
        guard !size.isEmpty else { throw ValidationError("Set the maximum number of keys with --size.") }
        guard !traces.isEmpty else { throw ValidationError("Specify a trace to replay.") }
    }

    func run() async throws {
        let sizes = size.flatMap(\.sizes)
        for path in traces {
            // A file URL would merge the slashes of a web address, in which secrets would not be found then.
            guard FileManager.default.fileExists(atPath: path) else { throw ProgramFailure(message: "cannot read \(path): no such file") }
            let trace = CacheTrace(file: URL(filePath: path))
            let replays = sizes.map { TraceReplay(size: $0) }
            try replay(trace, replays)
            for replay in replays {
                let ratio = String(format: "%.2f", 100 * replay.hitRatio)
                Terminal.output.write("figure \(trace.name)@\(replay.size) \(ratio) %\n")
            }
        }
    }

    private func replay(_ trace: CacheTrace, _ replays: [TraceReplay]) throws {
        var bar = ProgressBar("\(trace.name), KiB:", total: trace.size >> 10)
        defer { bar.clear() }
        _ = try trace.read(progress: { bar.advance(to: $0 >> 10) }) { key in
            for replay in replays { replay.access(key) }
        }
    }
}

/// One cache size, or several separated by commas.
struct CacheSizes: ExpressibleByArgument {
    /// The maximum size of a simulated cache, in keys.
    static let limit = 100_000_000

    let sizes: [Int]

    init?(argument: String) {
        let sizes = argument.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
        let valid = sizes.compactMap { $0 }.filter { (1...Self.limit).contains($0) }
        guard valid.count == sizes.count else { return nil }
        self.sizes = valid
    }
}
