// Compares operations with Foundation's operations and bare tasks in one run. Prints one line per figure; `make bench` runs it.
//
//     OperationBenchmarks [NAME...]
//
// Names: waiting, independent, diamond, chain, growth, cancel.

import Foundation
import LadingOperations

@main
enum OperationBenchmarks {
    /// The number of rounds; the median of their ratios is reported.
    static let rounds = Int(ProcessInfo.processInfo.environment["ROUNDS"] ?? "3") ?? 3

    static func main() async {
        let names = CommandLine.arguments.dropFirst()
        let all: [(String, @Sendable () async -> Void)] = [
            // First, because later measurements could reuse memory that was freed before.
            ("waiting", waiting), ("independent", independent), ("diamond", diamond), ("chain", chain), ("growth", growth),
            ("cancel", cancel),
        ]
        for (name, measure) in all where names.isEmpty || names.contains(name) { await measure() }
    }

    @concurrent
    static func independent() async {
        let count = 1_000_000
        var overFoundation: [Double] = []
        var overTask: [Double] = []
        for _ in 0..<rounds {
            let ours = await seconds { await Lading.independent(count) }
            let theirs = await seconds { FoundationOperations.independent(count) }
            let tasks = await seconds { await Tasks.independent(count) }
            logProgress(
                "independent, ns each: ours \(perUnit(ours, count)), Foundation \(perUnit(theirs, count)), Task \(perUnit(tasks, count))")
            overFoundation.append(theirs / ours)
            overTask.append(ours / tasks)
        }
        printMetric("operations-independent-vs-foundation", median(overFoundation), "ratio")
        printMetric("operations-independent-vs-task", median(overTask), "ratio")
    }

    @concurrent
    static func diamond() async {
        let count = 50_000
        var ratios: [Double] = []
        for _ in 0..<rounds {
            let ours = await seconds { await Lading.diamonds(count) }
            let theirs = await seconds { FoundationOperations.diamonds(count) }
            logProgress("diamond, ns each: ours \(perUnit(ours, 4 * count)), Foundation \(perUnit(theirs, 4 * count))")
            ratios.append(theirs / ours)
        }
        printMetric("operations-diamond-vs-foundation", median(ratios), "ratio")
    }

    /// Measures chains. Foundation's runs once only, because it takes more than a minute.
    @concurrent
    static func chain() async {
        let count = 20_000
        var times: [Double] = []
        for _ in 0..<5 { times.append(await seconds { await Lading.chain(count) }) }
        let ours = median(times)
        logProgress("chain: waiting for Foundation.")
        let theirs = await seconds { FoundationOperations.chain(count) }
        logProgress("chain, ns each: ours \(perUnit(ours, count)), Foundation \(perUnit(theirs, count))")
        printMetric("operations-chain20000-vs-foundation", theirs / ours, "ratio")
    }

    @concurrent
    static func growth() async {
        let (few, many) = (1_000, 1_000_000)
        var ratios: [Double] = []
        for _ in 0..<rounds {
            let ourFew = await seconds(times: 200) { await Lading.independent(few) } / Double(200 * few)
            let taskFew = await seconds(times: 200) { await Tasks.independent(few) } / Double(200 * few)
            let ourMany = await seconds { await Lading.independent(many) } / Double(many)
            let taskMany = await seconds { await Tasks.independent(many) } / Double(many)
            logProgress("growth: ours \(ourMany / ourFew), Task \(taskMany / taskFew)")
            ratios.append((ourMany / ourFew) / (taskMany / taskFew))
        }
        printMetric("operations-growth", median(ratios), "ratio")
    }

    @concurrent
    static func waiting() async {
        let count = 500_000
        let queue = Lading.queue()
        queue.pause()
        let before = residentBytes()
        for index in 0..<count { queue.submit(Lading.operation(index), priority: .background) }
        printMetric("operations-waiting-bytes", Double(residentBytes() - before) / Double(count), "bytes")
        queue.cancelAll()
        await queue.waitUntilIdle()
    }

    @concurrent
    static func cancel() async {
        let count = 100_000
        let queue = Lading.queue()
        queue.pause()
        let operations = (0..<count).map { Lading.operation($0) }
        for operation in operations { queue.submit(operation, priority: .background) }
        let time = await seconds {
            for operation in operations { operation.cancel() }
            await queue.waitUntilIdle()
        }
        precondition(operations.allSatisfy { $0.failure is CancellationError })
        printMetric("operations-cancel100000", time * 1_000, "ms")
    }
}

// MARK: - Workloads

enum Lading {
    static let lane = Lane("bench")

    static func queue() -> BackendQueue { BackendQueue(lanes: LaneConfiguration(named: [lane: LaneLimits(width: 2)])) }

    static func operation(_ index: Int) -> BackendOperation<Int> { BackendOperation("work", lane: lane) { index } }

    static func independent(_ count: Int) async {
        let queue = queue()
        for index in 0..<count { queue.submit(operation(index), priority: .background) }
        await queue.waitUntilIdle()
    }

    static func diamonds(_ count: Int) async {
        let queue = queue()
        for index in 0..<count {
            let top = operation(index)
            let left = BackendOperation("left", lane: lane, after: top) { $0 + 1 }
            let right = BackendOperation("right", lane: lane, after: top) { $0 + 2 }
            queue.submit(BackendOperation("bottom", lane: lane, after: left, right) { $0 + $1 }, priority: .background)
        }
        await queue.waitUntilIdle()
    }

    static func chain(_ count: Int) async {
        let queue = queue()
        var last = operation(0)
        for _ in 1..<count { last = BackendOperation("next", lane: lane, after: last) { $0 + 1 } }
        queue.submit(last, priority: .background)
        await queue.waitUntilIdle()
        precondition((try? last.result?.get()) == count - 1)
    }
}

enum FoundationOperations {
    static func independent(_ count: Int) {
        let queue = OperationQueue()
        for index in 0..<count { queue.addOperation { blackHole(index) } }
        queue.waitUntilAllOperationsAreFinished()
    }

    static func diamonds(_ count: Int) {
        let queue = OperationQueue()
        for index in 0..<count {
            let top = BlockOperation { blackHole(index) }
            let left = BlockOperation { blackHole(index) }
            let right = BlockOperation { blackHole(index) }
            let bottom = BlockOperation { blackHole(index) }
            left.addDependency(top)
            right.addDependency(top)
            bottom.addDependency(left)
            bottom.addDependency(right)
            for operation in [top, left, right, bottom] { queue.addOperation(operation) }
        }
        queue.waitUntilAllOperationsAreFinished()
    }

    /// Creates all operations before submitting them, as `Lading.chain` does.
    static func chain(_ count: Int) {
        let queue = OperationQueue()
        var operations: [Foundation.Operation] = []
        for index in 0..<count {
            let operation = BlockOperation { blackHole(index) }
            if let last = operations.last { operation.addDependency(last) }
            operations.append(operation)
        }
        queue.addOperations(operations, waitUntilFinished: true)
    }

    @inline(never)
    static func blackHole(_ index: Int) { precondition(index >= 0) }
}

enum Tasks {
    static func independent(_ count: Int) async {
        let tasks = (0..<count).map { index in Task { index } }
        for task in tasks { _ = await task.value }
    }
}

// MARK: - Measurement

func seconds(times: Int = 1, _ work: () async -> Void) async -> Double {
    let clock = ContinuousClock()
    let start = clock.now
    for _ in 0..<times { await work() }
    return start.duration(to: clock.now) / .seconds(1)
}

func perUnit(_ seconds: Double, _ count: Int) -> Int { Int(seconds * 1e9 / Double(count)) }

func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

func printMetric(_ name: String, _ value: Double, _ unit: String) {
    print("figure \(name) \(String(format: "%.2f", value)) \(unit)")
}

func logProgress(_ text: String) {
    FileHandle.standardError.write(Data("Lading: \(text)\n".utf8))
}

/// Returns the resident memory of the process in bytes; 0 on systems other than Linux.
func residentBytes() -> Int {
    guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
        let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmRSS") })
    else { return 0 }
    return (line.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) } ?? 0) * 1_024
}
