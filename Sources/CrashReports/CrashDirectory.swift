import FilePermissions
package import Foundation

/// Where runs leave what they would have to tell if they crashed, and where reports of crashes are kept.
///
/// ```swift
/// let crashes = CrashDirectory(in: data)
/// for report in crashes.collect(Redaction()) { print("It crashed: \(report.path)") }
/// let run = try crashes.begin(facts)
/// defer { run.end() }
/// ```
package struct CrashDirectory: Sendable {
    /// How many reports are kept; the oldest go first.
    package static let reportLimit = 10
    /// How many runs that were cut short are looked at in one start.
    static let runLimit = 100

    /// The number of the system's error.
    struct Failure: Error {
        let number: Int32

        static var current: Failure { Failure(number: errno) }
    }

    let folder: URL

    /// - Parameter data: The directory of the program's data.
    package init(in data: URL) {
        folder = data.appending(path: "crashes", directoryHint: .isDirectory).standardizedFileURL.absoluteURL
    }

    /// The file that the backtracer of this process has to write.
    package func backtrace(of process: Int32 = getpid()) -> URL { folder(of: process).appending(path: CrashRun.backtraceName) }

    /// Begins a run; it ends with `end()`, or is found by the next `collect`.
    package func begin(_ facts: RunFacts, process: Int32 = getpid()) throws -> CrashRun {
        try CrashRun(facts, in: folder(of: process))
    }

    private func folder(of process: Int32) -> URL { folder.appending(path: "running-\(process)", directoryHint: .isDirectory) }

    /// Makes a report of each run that crashed since this was last asked, and forgets those that were killed.
    ///
    /// A run that was killed has a backtracer and no backtrace: somebody, or the system, wanted it so, and nothing is said about it.
    ///
    /// - Returns: The new reports, oldest first.
    package func collect(_ redaction: Redaction) -> [URL] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false))) ?? []
        let reports = names.filter { $0.hasPrefix("running-") }.sorted().prefix(Self.runLimit).compactMap { name -> URL? in
            let left = folder.appending(path: name, directoryHint: .isDirectory)
            guard let lock = CrashRun.lock(left) else { return nil }
            defer { close(lock) }
            let report = report(on: left, redaction)
            try? FileManager.default.removeItem(at: left)
            return report
        }
        prune()
        return reports.sorted { $0.lastPathComponent < $1.lastPathComponent }
    }

    private func report(on left: URL, _ redaction: Redaction) -> URL? {
        let file = left.appending(path: CrashRun.backtraceName)
        guard let text = try? Data(contentsOf: left.appending(path: CrashRun.lockName)),
            let facts = try? JSONDecoder().decode(RunFacts.self, from: text)
        else { return nil }
        let backtrace = Self.start(of: file, limit: CrashReport.backtraceLimit)
        guard backtrace != nil || !facts.isCaught else { return nil }
        let operations = left.appending(path: CrashRun.operationsName)
        let crashed = Self.changed(backtrace != nil ? file : operations) ?? facts.started
        let report = CrashReport(
            facts: facts, crashed: crashed, operations: OperationRing.entries(in: operations), backtrace: backtrace)
        let place = folder.appending(path: "crash-\(crashed.formatted(Self.stamp))-\(left.lastPathComponent.dropFirst(8)).txt")
        // Written in the folder of the run, which is removed: under its own name it is whole.
        let draft = left.appending(path: "report")
        guard (try? PrivateFiles.write(Data(report.text(redaction).utf8), to: draft)) != nil,
            rename(draft.path(percentEncoded: false), place.path(percentEncoded: false)) == 0
        else { return nil }
        return place
    }

    /// As in 20261121T212000Z: names in the order of time.
    private static let stamp = Date.ISO8601FormatStyle(dateSeparator: .omitted, timeSeparator: .omitted)

    private static func start(of file: URL, limit: Int) -> String? {
        guard let handle = try? FileHandle(forReadingFrom: file) else { return nil }
        defer { try? handle.close() }
        return String(decoding: (try? handle.read(upToCount: limit)) ?? Data(), as: UTF8.self)
    }

    private static func changed(_ file: URL) -> Date? {
        try? file.resourceValues(forKeys: [.contentModificationDateKey]).contentModificationDate
    }
}

// MARK: - Reports

extension CrashDirectory {
    /// The reports that are kept, oldest first.
    package var reports: [URL] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false))) ?? []
        return names.filter { $0.hasPrefix("crash-") && $0.hasSuffix(".txt") }.sorted().map { folder.appending(path: $0) }
    }

    /// Those of them that nobody has taken yet.
    var unsent: [URL] { reports.filter { !Self.isSent($0) } }

    static func isSent(_ report: URL) -> Bool { FileManager.default.fileExists(atPath: mark(of: report).path(percentEncoded: false)) }

    static func markSent(_ report: URL) throws { try PrivateFiles.createFile(mark(of: report)) }

    /// The empty file that says that a report was sent.
    private static func mark(of report: URL) -> URL { report.appendingPathExtension("sent") }

    private func prune() {
        for report in reports.dropLast(Self.reportLimit) {
            try? FileManager.default.removeItem(at: report)
            try? FileManager.default.removeItem(at: Self.mark(of: report))
        }
    }
}
