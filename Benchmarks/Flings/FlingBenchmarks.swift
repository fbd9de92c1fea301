// Compares four ways to load a grid of photos during flings: the time from standstill until the last visible photo is complete, divided by the time
// that the link needs for those photos. Each strategy has its own link, all in one run. Prints one line per figure; `make bench` runs it.
//
// LADING_SEED determines the landings of the flings, FLINGS their number (default 7).

import Foundation
import LadingFeeds
import LadingHTTP
import LadingNIO
import LadingOperations
import LadingTesting
import Origin
import ServerStartup

@main
enum FlingBenchmarks {
    static let profile = LinkProfile.named("dsl")!
    /// The number of concurrent transfers of each strategy.
    static let concurrentTransfers = 6
    static let lanes = LaneConfiguration(network: LaneLimits(width: concurrentTransfers, reserved: 2, minimumWidth: 2))
    /// The number of flings with naive loading, which takes minutes for each.
    static let naiveFlingCount = 2

    typealias Strategy = (name: String, makeViewer: @Sendable (URL, PhotoAlbum, PhotoArrivals, BackendClient) -> any PhotoViewer)

    static let strategies: [Strategy] = [
        ("fling-vs-link", { FeedViewer(PhotoFeed(client: $3, base: $0, album: $1, arrivals: $2), lanes: lanes) }),
        ("fling-naive", { NaiveViewer(PhotoFeed(client: $3, base: $0, album: $1, arrivals: $2), lanes: lanes) }),
        (
            "fling-classic",
            { base, album, arrivals, _ in OperationQueueViewer(base: base, album: album, arrivals: arrivals, width: concurrentTransfers) }
        ),
        ("fling-debounce", { FeedViewer(PhotoFeed(client: $3, base: $0, album: $1, arrivals: $2), lanes: lanes, waitsForRest: true) }),
    ]

    static func main() async throws {
        let environment = ProcessInfo.processInfo.environment
        let seed = TestSeeds.fromEnvironment ?? .random(in: 1...UInt64(UInt32.max))
        let flings = environment["FLINGS"].flatMap { Int($0) } ?? 7
        let names = CommandLine.arguments.dropFirst()
        logProgress("flinging \(flings) times over \(PhotoAlbum.count) photos, across \(profile.name): LADING_SEED=\(seed)")
        let sequence = FlingSequence(seed: seed, count: flings)
        let results = try await withThrowingTaskGroup { group in
            for strategy in strategies where names.isEmpty || names.contains(strategy.name) {
                group.addTask { (strategy.name, try await measure(strategy, over: sequence)) }
            }
            var results: [String: (ratios: [Double], repeats: Int)] = [:]
            for try await (name, result) in group { results[name] = result }
            return results
        }
        for way in strategies {
            guard let result = results[way.name] else { continue }
            logProgress("\(way.name): \(result.ratios.map { String(format: "%.2f", $0) }.joined(separator: " "))")
            figure(way.name, median(result.ratios), "ratio")
        }
        if let feedResult = results["fling-vs-link"] { figure("fling-back-repeats", Double(feedResult.repeats), "photos") }
    }

    /// Returns the ratios of a sequence. The feed also flings back over the photos that it has loaded.
    @concurrent
    private static func measure(_ strategy: Strategy, over sequence: FlingSequence) async throws -> (ratios: [Double], repeats: Int) {
        let album = PhotoAlbum()
        let server = try album.serve()
        defer { server.stop() }
        let executor = AsyncHTTPClientExecutor(connectionsPerHost: concurrentTransfers)
        let (addresses, address) = AsyncStream.makeStream(of: URL.self)
        let link = LinkConditioner(profile, to: server.url("/"), listeningOn: ListenAddress(port: 0)) { address.yield($0) }
        let relay = Task { try await link.run() }
        var iterator = addresses.makeAsyncIterator()
        guard let base = await iterator.next() else { fatalError("the line did not come up") }

        let arrivals = PhotoArrivals()
        let viewer = strategy.makeViewer(base, album, arrivals, BackendClient(executor: executor))
        let run = FlingRun(viewer: viewer, arrivals: arrivals, album: album, profile: profile)
        let isNaive = strategy.name == "fling-naive"
        var ratios: [Double] = []
        for fling in isNaive ? sequence.flings.prefix(naiveFlingCount) : sequence.flings[...] {
            if let ratio = try await run.ratio(of: fling) { ratios.append(ratio) }
        }
        if strategy.name == "fling-vs-link" { for fling in sequence.returnFlings { _ = try await run.ratio(of: fling) } }
        viewer.stop()
        relay.cancel()
        try? await relay.value
        try await executor.shutdown()
        return (ratios, arrivals.repeatedRequests)
    }
}

// MARK: - Figures

func median(_ numbers: [Double]) -> Double {
    numbers.isEmpty ? .nan : numbers.sorted()[numbers.count / 2]
}

func figure(_ name: String, _ value: Double, _ unit: String) {
    print("figure \(name) \(String(format: "%.3g", value)) \(unit)")
}

func logProgress(_ text: String) {
    FileHandle.standardError.write(Data("Lading: \(text)\n".utf8))
}

extension Duration {
    var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
