import Foundation
import LadingOperations
import Testing

/// The examples of Docs/Guides/Operations.md: the guide contains the code between two equal markers, character for character.
@Suite(.timeLimit(.minutes(10))) struct OperationsGuideTests {
    private enum AccountError: Error { case signedOut }
    private struct Unavailable: Error {}

    private let queue = BackendQueue()
    private let output = Recorder<String>()

    @Sendable private func printLine(_ line: String) { output.append(line) }

    @Test func `The example of keys compiles and runs`() async throws {
        let file = URL(filePath: #filePath)
        // ---- key
        let read = BackendOperation("read", key: .action("read", on: file.path), lane: .disk) { try Data(contentsOf: file) }
        let bytes = try await queue.value(of: read, priority: .prefetch)
        // ---- key
        #expect(try bytes == Data(contentsOf: file))
    }

    @Test func `The examples of dependencies and results compile and run`() async throws {
        // ---- shape
        let list = BackendOperation("list", lane: .network("example.org")) { [3, 4] }
        let left = BackendOperation("left", lane: .cpu, after: list) { numbers in numbers.reduce(0, +) }
        let right = BackendOperation("right", lane: .cpu, after: list) { numbers in numbers.reduce(1, *) }
        let both = BackendOperation("both", lane: .cpu, after: left, right) { sum, product in "\(sum) and \(product)" }
        let text = try await queue.value(of: both)
        // ---- shape
        #expect(text == "7 and 12")

        // ---- many
        let pages = (1...3).map { number in BackendOperation("page \(number)", lane: .disk) { number * 10 } }
        let total = BackendOperation("total", lane: .cpu, afterAll: pages) { $0.reduce(0, +) }
        let report = BackendOperation("report", lane: .cpu, afterCompletionOf: pages) { results in
            results.count { (try? $0.get()) != nil }
        }
        let tidy = BackendOperation("tidy", lane: .disk, after: [total.erased, report.erased], runsOnFailure: true) {}
        // ---- many
        try await queue.value(of: tidy, priority: .background)
        #expect(try total.result?.get() == 60)
        #expect(try report.result?.get() == 3)

        // ---- then
        let newest = BackendOperation(
            "newest", lane: .cpu, after: list,
            then: { numbers in BackendOperation("item", lane: .network("example.org")) { numbers.max() } })
        // ---- then
        #expect(try await queue.value(of: newest, priority: .visible) == 4)
    }

    @Test func `The examples of rules and deadlines compile and run`() async throws {
        let isSignedIn = false
        // ---- rules
        let signedIn = OperationCondition("signed in") {
            guard isSignedIn else { throw AccountError.signedOut }
        }
        let rules = OperationRules(
            conditions: [signedIn],
            exclusionGroup: "account",
            retry: OperationRetry { error, attempt in
                error is Unavailable && attempt < 3 ? .seconds(1 << attempt) : nil
            })
        let save = BackendOperation("save", lane: .disk, rules: rules) { 1 }
        // ---- rules
        await #expect(throws: AccountError.self) { try await queue.value(of: save, priority: .visible) }

        let load = BackendOperation("load", lane: .disk) { 2 }
        // ---- deadline
        queue.submit(load, priority: .visible, deadline: .seconds(10))
        // ---- deadline
        #expect(try await load.value == 2)
    }

    @Test func `The examples of observing, pausing, groups and shutdown compile and run`() async throws {
        let sync = BackendOperation("sync", lane: .disk) { OperationProgress.current?.report(completed: 1, total: 1) }
        let pictures = BackendOperation("pictures", lane: .disk) {}
        // ---- follow
        sync.onSuccess { _ in printLine("done") }.onFailure { error in printLine("failed: \(error)") }
        let states = Task { [states = sync.states] in
            for await state in states { printLine(state.rawValue) }
        }
        let bar = Task { [updates = sync.progress.updates(every: .milliseconds(100))] in
            for await update in updates { printLine("\(update.fraction ?? 0)") }
        }
        // ---- follow

        // ---- pause
        sync.pause()
        queue.submit(sync, priority: .visible)
        sync.resume()
        // ---- pause

        // ---- group
        let group = OperationGroup([sync.erased, pictures.erased])
        group.submit(to: queue, priority: .background)
        await group.waitUntilCompleted()
        // ---- group
        await states.value
        await bar.value
        #expect(Set(["done", "new", "succeeded", "1.0"]).isSubset(of: output.all))

        // ---- end
        await queue.waitUntilIdle()
        await queue.shutDown(gracefully: true)
        // ---- end
        #expect(queue.isIdle)
    }

    @Test func `The guide contains the code of this file`() throws {
        let file = URL(filePath: #filePath)
        let package = file.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let guide = try String(contentsOf: package.appending(path: "Docs/Guides/Operations.md"), encoding: .utf8)

        for name in ["key", "shape", "many", "then", "rules", "deadline", "follow", "pause", "group", "end"] {
            let parts = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "        // ---- \(name)\n")
            try #require(parts.count == 3)
            let code = parts[1].split(separator: "\n").map { $0.dropFirst(8) + "\n" }.joined()
            #expect(guide.contains("```swift\n\(code)```\n"), "\(name)")
        }
    }
}
