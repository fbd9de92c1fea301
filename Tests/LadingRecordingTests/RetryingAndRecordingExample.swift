import Foundation
import LadingHTTP
import LadingOperations
import LadingRecording
import LadingTesting
import Testing
import TemporaryFolders

/// The examples of Docs/Guides/RetryingAndRecording.md; the code between two lines of dashes is a verbatim part of it.
@Suite struct RetryingAndRecordingExample {
    private let executor = ScriptedExecutor()
    private let url = URL(string: "http://example.org/orders/list")!

    @Test func `A client uses a retry control`() async throws {
        executor.script(url.absoluteString, .response(text: "seven"))
        let queue = BackendQueue()

        // ---- GUIDE
        let retries = RetryControl(policy: RetryPolicy(attempts: 3))
        let client = BackendClient(executor: executor, retries: retries)
        let operation = client.operation(BackendRequest(url: url))
        let response = try await queue.value(of: operation)
        // ---- GUIDE

        #expect(response.body == Array("seven".utf8))
    }

    @Test func `A recorded exchange is replayed`() async throws {
        executor.script(url.absoluteString, .response(text: "seven"))
        let (directory, message) = (try TemporaryFolder().url, RequestMessage(url: url))
        defer { try? FileManager.default.removeItem(at: directory) }

        // ---- GUIDE
        let recorder = try RecordingExecutor(executor, in: directory)
        let recorded = try await BackendClient(executor: recorder).response(to: message)

        let player = try ReplayingExecutor(directory: directory)
        let replayed = try await BackendClient(executor: player).response(to: message)
        // ---- GUIDE

        #expect(replayed.body == recorded.body)
    }

    /// Compiles an example that is not run, because it ends only with its task.
    private func watch(retry: (String) -> Void) async {
        // ---- GUIDE
        let monitor = ReachabilityMonitor()
        let client = BackendClient(executor: executor, retries: RetryControl(), reachability: monitor)
        let changes = monitor.changes()
        async let _: Void = monitor.run(through: client)
        for await change in changes where change.isReachable { retry(change.host) }
        // ---- GUIDE
    }

    @Test func `The guide shows the code above`() throws {
        let file = URL(filePath: #filePath)
        let package = file.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let parts = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "        // ---- GUIDE\n")
        let guide = try String(contentsOf: package.appending(path: "Docs/Guides/RetryingAndRecording.md"), encoding: .utf8)

        for code in [parts[1], parts[3], parts[5]] {
            let lines = code.split(separator: "\n", omittingEmptySubsequences: false).map { $0.trimmingCharacters(in: .whitespaces) }
            #expect(guide.contains("```swift\n\(lines.joined(separator: "\n"))```\n"))
        }
    }
}
