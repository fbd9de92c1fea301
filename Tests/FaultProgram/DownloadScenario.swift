import Foundation
import LadingConformance
import LadingHTTP
import LadingTransfers

/// A scenario of downloads without a `FileTransfers`: one resumes, one begins, and one replaces a file.
struct DownloadScenario: FaultScenario {
    private enum Target: String, CaseIterable {
        case resumed, new, replaced
    }

    private static let body = BlobGenerator.body(1, count: 300_000)
    private static let interruption = 150_000
    private static let oldContent = Array("old".utf8)
    private static let url = URL(string: "https://example.org/file")!

    private let folder: URL
    /// The targets whose downloads were reported as complete.
    private var finished: Set<Target> = []

    init(folder: URL) {
        self.folder = folder
    }

    func prepare() async throws {
        try Data(Self.oldContent).write(to: file(.replaced))
        // The interruption is expected: a part file and a journal remain.
        try? await download(.resumed, from: FixedExecutor(body: Self.body, interruption: Self.interruption))
    }

    mutating func run() async {
        for target in Target.allCases where await isDownloaded(target) { finished.insert(target) }
    }

    func problems() async throws -> [String] {
        var problems: [String] = []
        for target in Target.allCases {
            let found = content(target)
            if finished.contains(target), found != Self.body { problems.append("\(target): the file is reported as complete and is not") }
            if let found, found != Self.body, target != .replaced || found != Self.oldContent {
                problems.append("\(target): the file is neither the old nor the new one")
            }
            if target == .replaced, found == nil { problems.append("\(target): the old file is gone") }
            problems += await resumptionProblems(of: target, exists: found == Self.body)
        }
        return problems
    }

    /// Downloads a file again, without faults.
    ///
    /// - Parameter exists: Whether the file was published. Without `replacing`, another download of it is refused.
    private func resumptionProblems(of target: Target, exists: Bool) async -> [String] {
        do {
            try await download(target, from: FixedExecutor(body: Self.body))
            let rest = hiddenFiles(of: target)
            if !rest.isEmpty { return ["\(target): \(rest) remain after the download"] }
        } catch TransferError.targetExists where exists {
        } catch {
            return ["\(target): the download does not resume: \(error)"]
        }
        return content(target) == Self.body ? [] : ["\(target): the file is not whole after all"]
    }

    private func isDownloaded(_ target: Target) async -> Bool {
        (try? await download(target, from: FixedExecutor(body: Self.body))) != nil
    }

    private func download(_ target: Target, from executor: FixedExecutor) async throws {
        try await BackendClient(executor: executor).download(
            Self.url, to: file(target), replacing: target == .replaced,
            retryPolicy: TransferRetryPolicy(attempts: 2, base: .milliseconds(1), cap: .milliseconds(2)))
    }

    private func file(_ target: Target) -> URL { folder.appending(path: "\(target.rawValue).bin", directoryHint: .notDirectory) }

    /// The content of a file; nil if it does not exist.
    private func content(_ target: Target) -> [UInt8]? { (try? Data(contentsOf: file(target))).map { Array($0) } }

    private func hiddenFiles(of target: Target) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.hasPrefix(".\(target.rawValue)") }.sorted()
    }
}
