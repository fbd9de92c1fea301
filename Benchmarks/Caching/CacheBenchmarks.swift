// Compares hits with a dictionary behind a Mutex and with NSCache, measures the hit ratios of traces, and compares bodies on disk with plain files.
// Prints one line per figure; `make bench` runs it.
//
//     CacheBenchmarks [NAME...]
//
// Names: hit, threads, nscache, blobs, border, traces. TRACES is a folder of traces; without it no trace is replayed.

import CacheTraces
import Dispatch
import Foundation
import LadingCaching
import Synchronization

@main
enum CacheBenchmarks {
    /// The number of rounds; the median of their ratios is reported.
    static let rounds = Int(ProcessInfo.processInfo.environment["ROUNDS"] ?? "15") ?? 15
    /// The sizes of caches whose hits are measured.
    static let sizes = [500, 10_000]
    static let lookups = 200_000

    static func main() async throws {
        let names = CommandLine.arguments.dropFirst()
        let all: [(String, () async throws -> Void)] = [
            ("hit", hit), ("threads", threads), ("nscache", nscache), ("blobs", BlobBenchmarks.pictures),
            ("border", BlobBenchmarks.inlineLimits), ("traces", traces),
        ]
        for (name, measure) in all where names.isEmpty && name != "border" || names.contains(name) { try await measure() }
    }

    /// Measures the ratio of the time of a hit to that of a dictionary behind a Mutex.
    static func hit() {
        let ratios = sizes.map { size in
            let (ours, theirs, keys) = (filledCache(size), filledDictionary(size), Keys.random(lookups, below: size))
            let ratios = (0..<rounds).map { _ in
                let theirTime = seconds { for key in keys { requireHit(theirs.value(for: key)) } }
                return seconds { for key in keys { requireHit(ours.value(for: key)) } } / theirTime
            }
            logProgress("hit of \(size), ours over the dictionary: \(text(median(ratios)))")
            return median(ratios)
        }
        printMetric("cache-hit-cost", ratios.max() ?? 0, "ratio")
    }

    /// Measures the ratio of the hits per second of 16 threads to those of one.
    static func threads() {
        let cache = filledCache(10_000)
        let keys = Keys.random(lookups, below: 10_000)
        let ratios = (0..<rounds).map { _ in
            let one = seconds { hits(of: cache, keys, threads: 1) }
            return 16 * one / seconds { hits(of: cache, keys, threads: 16) }
        }
        logProgress("this machine has \(ProcessInfo.processInfo.activeProcessorCount) processors")
        printMetric("cache-threads", median(ratios), "ratio")
    }

    /// Measures the ratios of NSCache's time to ours and of our hits to NSCache's, for a skewed workload with a loop.
    static func nscache() {
        let keys = Keys.skewed(lookups)
        var hits = (ours: 0, theirs: 0)
        let ratios = (0..<rounds).map { _ in
            let ours = MemoryCache<Int, Int>(costLimit: 1_000)
            let theirs = NSCache<NSNumber, NSNumber>()
            theirs.countLimit = 1_000
            hits = (0, 0)
            let theirTime = seconds {
                for key in keys {
                    let number = NSNumber(value: key)
                    if theirs.object(forKey: number) != nil { hits.theirs += 1 } else { theirs.setObject(number, forKey: number) }
                }
            }
            let ourTime = seconds {
                for key in keys { if ours.value(for: key) != nil { hits.ours += 1 } else { ours.store(key, for: key) } }
            }
            return theirTime / ourTime
        }
        printMetric("cache-vs-nscache", median(ratios), "ratio")
        printMetric("cache-vs-nscache-hits", Double(hits.ours) / Double(max(1, hits.theirs)), "ratio")
    }

    /// Measures hit ratios of traces, at the cache sizes of published results.
    static func traces() throws {
        guard let folder = ProcessInfo.processInfo.environment["TRACES"] else {
            return logProgress("set TRACES to a folder of traces to see their hit ratios.")
        }
        let known = [
            "gli": 1_000, "multi2": 1_000, "loop": 512, "zigzag": 1_000, "cpp": 300, "sprite": 1_000, "corda": 512, "web12": 1_000,
        ]
        let files = try FileManager.default.contentsOfDirectory(at: URL(filePath: folder), includingPropertiesForKeys: nil)
        for file in files.sorted(by: { $0.path < $1.path }) where ["gz", "txt"].contains(file.pathExtension) {
            let trace = CacheTrace(file: file)
            let replay = TraceReplay(size: known[trace.name] ?? 1_000)
            _ = try trace.read { replay.access($0) }
            printMetric("\(trace.name)@\(replay.size)", 100 * replay.hitRatio, "%")
        }
    }
}

// MARK: - Workloads

/// The baseline of a hit.
final class LockedDictionary: Sendable {
    private let values = Mutex<[Int: Int]>([:])

    func value(for key: Int) -> Int? { values.withLock { $0[key] } }
    func store(_ value: Int, for key: Int) { values.withLock { $0[key] = value } }
}

func filledCache(_ size: Int) -> MemoryCache<Int, Int> {
    let cache = MemoryCache<Int, Int>(costLimit: size)
    for key in 0..<size { cache.store(key, for: key) }
    return cache
}

func filledDictionary(_ size: Int) -> LockedDictionary {
    let dictionary = LockedDictionary()
    for key in 0..<size { dictionary.store(key, for: key) }
    return dictionary
}

/// Looks up all keys on each thread, starting at different ones.
func hits(of cache: MemoryCache<Int, Int>, _ keys: [Int], threads: Int) {
    DispatchQueue.concurrentPerform(iterations: threads) { thread in
        let start = thread * keys.count / threads
        for key in keys[start...] { requireHit(cache.value(for: key)) }
        for key in keys[..<start] { requireHit(cache.value(for: key)) }
    }
}

enum Keys {
    static func random(_ count: Int, below limit: Int) -> [Int] {
        var random = XorshiftGenerator()
        return (0..<count).map { _ in Int(random.next() % UInt64(limit)) }
    }

    /// Returns keys of which seven in ten are from a skewed distribution, and the others from a loop of 2,000.
    static func skewed(_ count: Int) -> [Int] {
        var random = XorshiftGenerator()
        return (0..<count).map { index in
            guard random.next() % 10 < 7 else { return 1_000_000 + index % 2_000 }
            let part = Double(random.next() >> 11) / Double(1 << 53)
            return Int(4_000 * part * part * part)
        }
    }
}

/// A deterministic xorshift generator (G. Marsaglia, Journal of Statistical Software 8, 2003).
struct XorshiftGenerator {
    private var state: UInt64 = 88_172_645_463_325_252

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }
}

// MARK: - Measurement

@inline(never)
func requireHit(_ value: Int?) { precondition(value != nil, "what was stored is there") }

func seconds(_ work: () -> Void) -> Double {
    let clock = ContinuousClock()
    return clock.measure(work) / .seconds(1)
}

func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

func text(_ value: Double) -> String { String(format: "%.2f", value) }

func printMetric(_ name: String, _ value: Double, _ unit: String) { print("figure \(name) \(text(value)) \(unit)") }

func logProgress(_ text: String) { FileHandle.standardError.write(Data("Lading: \(text)\n".utf8)) }
