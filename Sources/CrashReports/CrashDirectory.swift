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
        let code: Int32

        static var current: Failure { Failure(code: errno) }
    }

    let folder: URL

    /// - Parameter data: The directory of the program's data.
    package init(in data: URL) {
        folder = data.appending(path: "crashes", directoryHint: .isDirectory).standardizedFileURL.absoluteURL
    }

    /// The file that the backtracer of this process has to write.
    package func backtrace(of process: Int32 = getpid()) -> URL { folder(of: process).appending(path: CrashRun.backtraceName) }

    /// Begins a run; it ends with `end()`, or is found by the next `collect`.
    package func begin(_ metadata: RunMetadata, process: Int32 = getpid()) throws -> CrashRun {
        try CrashRun(metadata, in: folder(of: process))
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
            let runFolder = folder.appending(path: name, directoryHint: .isDirectory)
            guard let lock = CrashRun.lock(runFolder) else { return nil }
            defer { close(lock) }
            let report = makeReport(for: runFolder, redaction)
            try? FileManager.default.removeItem(at: runFolder)
            return report
        }
        removeOldReports()
        return reports.sorted { $0.lastPathComponent < $1.lastPathComponent }
    }

    private func makeReport(for runFolder: URL, _ redaction: Redaction) -> URL? {
        let file = runFolder.appending(path: CrashRun.backtraceName)
        guard let text = try? Data(contentsOf: runFolder.appending(path: CrashRun.lockName)),
            let metadata = try? JSONDecoder().decode(RunMetadata.self, from: text)
        else { return nil }
        let backtrace = Self.prefix(of: file, limit: CrashReport.backtraceLimit)
        guard backtrace != nil || !metadata.hasBacktracer else { return nil }
        let operations = runFolder.appending(path: CrashRun.operationsName)
        let crashDate = Self.modificationDate(of: backtrace != nil ? file : operations) ?? metadata.started
        let report = CrashReport(
            metadata: metadata, crashDate: crashDate, operations: OperationRing.entries(in: operations), backtrace: backtrace)
        let reportFile = folder.appending(path: "crash-\(crashDate.formatted(Self.timestampFormat))-\(runFolder.lastPathComponent.dropFirst(8)).txt")
        // Written in the folder of the run, which is removed: under its own name it is whole.
        let draft = runFolder.appending(path: "report")
        guard (try? PrivateFiles.write(Data(report.text(redaction).utf8), to: draft)) != nil,
            rename(draft.path(percentEncoded: false), reportFile.path(percentEncoded: false)) == 0
        else { return nil }
        return reportFile
    }

    /// As in 20261121T212000Z: names in the order of time.
    private static let timestampFormat = Date.ISO8601FormatStyle(dateSeparator: .omitted, timeSeparator: .omitted)

    private static func prefix(of file: URL, limit: Int) -> String? {
        guard let handle = try? FileHandle(forReadingFrom: file) else { return nil }
        defer { try? handle.close() }
        return String(decoding: (try? handle.read(upToCount: limit)) ?? Data(), as: UTF8.self)
    }

    private static func modificationDate(of file: URL) -> Date? {
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
    var unsentReports: [URL] { reports.filter { !Self.isSent($0) } }

    static func isSent(_ report: URL) -> Bool { FileManager.default.fileExists(atPath: sentMarker(of: report).path(percentEncoded: false)) }

    static func markSent(_ report: URL) throws { try PrivateFiles.createFile(sentMarker(of: report)) }

    /// The empty file that says that a report was sent.
    private static func sentMarker(of report: URL) -> URL { report.appendingPathExtension("sent") }

    private func removeOldReports() {
        for report in reports.dropLast(Self.reportLimit) {
            try? FileManager.default.removeItem(at: report)
            try? FileManager.default.removeItem(at: Self.sentMarker(of: report))
        }
    }
}
