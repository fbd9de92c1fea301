import Foundation
import LadingConformance
import LadingHTTP
import LadingRecording

/// A scenario that records exchanges in an empty directory.
struct RecordingScenario: FaultScenario {
    private static let body = BlobGenerator.body(1, count: 120_000)
    private static let count = 3

    private let folder: URL
    private var recorded: Set<Int> = []

    init(folder: URL) {
        self.folder = folder
    }

    func prepare() async throws {}

    mutating func run() async {
        guard let executor = try? RecordingExecutor(FixedExecutor(body: Self.body), in: folder) else { return }
        for number in 0..<Self.count where await Self.hasExchange(number, in: executor) { recorded.insert(number) }
    }

    func problems() async throws -> [String] {
        let executor = try ReplayingExecutor(directory: folder)
        var problems: [String] = []
        for number in recorded.sorted() where await !Self.hasExchange(number, in: executor) {
            problems.append("exchange \(number) is not as it was recorded")
        }
        return problems
    }

    /// Whether the response to a request is the complete body.
    private static func hasExchange(_ number: Int, in executor: some BackendExecutor) async -> Bool {
        let message = RequestMessage(url: URL(string: "https://example.org/\(number)")!)
        let answer = try? await executor.execute(message, timeLimit: .seconds(10)) { _, body in
            var bytes: [UInt8] = []
            for try await chunk in body { bytes += chunk }
            return bytes
        }
        return answer == body
    }
}
