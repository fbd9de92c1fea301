import FilePermissions
package import Foundation

/// The directory of run records and crash reports.
///
/// ```swift
/// let crashes = CrashDirectory(in: data)
/// for report in crashes.collect(Redaction()) { print("It crashed: \(report.path)") }
/// let run = try crashes.begin(metadata)
/// defer { run.end() }
/// ```
package struct CrashDirectory: Sendable {
    /// The maximum number of reports; the oldest are removed first.
    package static let reportLimit = 10
    /// The maximum number of interrupted runs that one `collect` examines.
    static let runLimit = 100

    /// A system call's error code.
    struct Failure: Error {
        let code: Int32

        static var current: Failure { Failure(code: errno) }
    }

    let folder: URL

    /// Locates the crash directory in a data directory; creates no folder.
    ///
    /// - Parameter data: The data directory of the program.
    package init(in data: URL) {
        folder = data.appending(path: "crashes", directoryHint: .isDirectory).standardizedFileURL.absoluteURL
    }

    /// Returns the file to which the backtracer of a process writes.
    package func backtrace(of process: Int32 = getpid()) -> URL { folder(of: process).appending(path: CrashRun.backtraceName) }

    /// Begins a run, which ends with `end()`; the next `collect` finds an unended one.
    package func begin(_ metadata: RunMetadata, process: Int32 = getpid()) throws -> CrashRun {
        try CrashRun(metadata, in: folder(of: process))
    }

    private func folder(of process: Int32) -> URL { folder.appending(path: "running-\(process)", directoryHint: .isDirectory) }

    /// Writes a report for each run that crashed since the last call, and removes the records of all runs that have ended.
    ///
    /// A run with a backtracer and without a backtrace was killed on purpose, and gets no report. The record of a run whose report cannot be written
    /// stays for the next call.
    ///
    /// - Returns: The new reports, oldest first.
    package func collect(_ redaction: Redaction) -> [URL] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false))) ?? []
        let reports = names.filter { $0.hasPrefix("running-") }.sorted().prefix(Self.runLimit).compactMap { name -> URL? in
            let runFolder = folder.appending(path: name, directoryHint: .isDirectory)
            guard let lock = CrashRun.lock(runFolder) else { return nil }
            defer { close(lock) }
            do {
                let report = try makeReport(for: runFolder, redaction)
                try? FileManager.default.removeItem(at: runFolder)
                return report
            } catch {
                // After a crash on a full disk, the disk of the next start is often full as well.
                return nil
            }
        }
        removeOldReports()
        return reports.sorted { $0.lastPathComponent < $1.lastPathComponent }
    }

    /// Writes the report of an ended run; nil for a run that gets none.
    ///
    /// - Throws: The error of writing.
    private func makeReport(for runFolder: URL, _ redaction: Redaction) throws -> URL? {
        let file = runFolder.appending(path: CrashRun.backtraceName)
        guard let text = try? Data(contentsOf: runFolder.appending(path: CrashRun.lockName)),
            let metadata = try? JSONDecoder().decode(RunMetadata.self, from: text)
        else { return nil }
        let backtrace = Self.prefix(of: file, limit: CrashReport.backtraceLimit)
        guard backtrace != nil || !metadata.hasBacktrace else { return nil }
        let operations = runFolder.appending(path: CrashRun.operationsName)
        let crashDate = Self.modificationDate(of: backtrace != nil ? file : operations) ?? metadata.started
        let report = CrashReport(
            metadata: metadata, crashDate: crashDate, operations: OperationRing.entries(in: operations), backtrace: backtrace)
        let reportFile = folder.appending(
            path: "crash-\(crashDate.formatted(Self.timestampFormat))-\(runFolder.lastPathComponent.dropFirst(8)).txt")
        // Written in the run's folder and then renamed, so that the report is complete under its final name.
        let draft = runFolder.appending(path: "report")
        try PrivateFiles.write(Data(report.text(redaction).utf8), to: draft)
        guard rename(draft.path(percentEncoded: false), reportFile.path(percentEncoded: false)) == 0 else { throw Failure.current }
        return reportFile
    }

    /// The format of timestamps in names, such as 20261121T212000Z, which sorts by time.
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
    /// All reports, oldest first.
    package var reports: [URL] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false))) ?? []
        return names.filter { $0.hasPrefix("crash-") && $0.hasSuffix(".txt") }.sorted().map { folder.appending(path: $0) }
    }

    /// The reports that the server has not accepted, oldest first.
    var pendingReports: [URL] { reports.filter { !Self.isSent($0) } }

    static func isSent(_ report: URL) -> Bool { FileManager.default.fileExists(atPath: sentMarker(of: report).path(percentEncoded: false)) }

    static func markSent(_ report: URL) throws { try PrivateFiles.createFile(sentMarker(of: report)) }

    /// Returns the empty file that marks a report as sent.
    private static func sentMarker(of report: URL) -> URL { report.appendingPathExtension("sent") }

    private func removeOldReports() {
        for report in reports.dropLast(Self.reportLimit) {
            try? FileManager.default.removeItem(at: report)
            try? FileManager.default.removeItem(at: Self.sentMarker(of: report))
        }
    }
}
