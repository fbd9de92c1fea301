import Foundation
import TemporaryFolders
import Testing

@testable import CrashReports

@Suite struct CrashDirectoryTests {
    private let metadata = RunMetadata(
        version: "1.2.3", command: "serve", system: "Debian GNU/Linux 12 (bookworm)", architecture: "x86_64",
        started: Date(timeIntervalSince1970: 1_795_000_000), hasBacktrace: true)

    /// Creates the folder of a run that did not end: an unlocked copy.
    private func makeUnfinishedRun(_ metadata: RunMetadata, process: Int32 = 7, backtrace: String?, in data: URL) throws {
        let crashes = CrashDirectory(in: data)
        let run = try crashes.begin(metadata, process: process)
        let folder = crashes.backtrace(of: process).deletingLastPathComponent()
        let copy = data.appending(path: "copy")
        try FileManager.default.copyItem(at: folder, to: copy)
        run.end()
        try FileManager.default.moveItem(at: copy, to: folder)
        if let backtrace { try Data(backtrace.utf8).write(to: crashes.backtrace(of: process)) }
    }

    @Test func `A crash becomes a report, once`() async throws {
        try await withTemporaryFolder { data in
            try makeUnfinishedRun(
                metadata, backtrace: "*** Program crashed at 0x0000000000001234 ***\n0 f() in lading at /home/jane/f.swift:1:2\n", in: data)
            let crashes = CrashDirectory(in: data)

            let reports = crashes.collect(Redaction())

            try #require(reports.count == 1)
            let text = try String(contentsOf: reports[0], encoding: .utf8)
            #expect(text.hasPrefix("Lading crashed\n\nVersion:  1.2.3\nCommand:  lading serve\nStarted:  2026-11-18T"))
            #expect(text.contains("System:   Debian GNU/Linux 12 (bookworm), x86_64\n"))
            #expect(text.contains("Last operations, oldest first\nNone.\n"))
            #expect(text.hasSuffix("Backtrace\n*** Program crashed at 0x… ***\n0 f() in lading at f.swift:1:2\n\n"))
            #expect(crashes.collect(Redaction()).isEmpty)
            #expect(crashes.reports.map(\.lastPathComponent) == reports.map(\.lastPathComponent))
        }
    }

    @Test func `A run whose folder exists does not begin, and the existing folder stays`() async throws {
        try await withTemporaryFolder { data in
            try makeUnfinishedRun(metadata, backtrace: "*** Program crashed ***\n", in: data)
            let crashes = CrashDirectory(in: data)

            #expect(throws: CrashDirectory.Failure.self) { try crashes.begin(metadata, process: 7) }

            #expect(try FileManager.default.contentsOfDirectory(atPath: data.appending(path: "crashes").path) == ["running-7"])
            #expect(crashes.collect(Redaction()).count == 1)
        }
    }

    @Test func `A crash whose report cannot be written is reported later`() async throws {
        try await withTemporaryFolder { data in
            try makeUnfinishedRun(metadata, backtrace: "*** Program crashed ***\n", in: data)
            let crashes = CrashDirectory(in: data)
            // A folder in place of the draft, which no user can write.
            let draft = crashes.backtrace(of: 7).deletingLastPathComponent().appending(path: "report")
            try FileManager.default.createDirectory(at: draft, withIntermediateDirectories: false)

            #expect(crashes.collect(Redaction()).isEmpty)
            try FileManager.default.removeItem(at: draft)
            let reports = crashes.collect(Redaction())

            try #require(reports.count == 1)
            #expect(try String(contentsOf: reports[0], encoding: .utf8).contains("*** Program crashed ***"))
            #expect(try FileManager.default.contentsOfDirectory(atPath: data.appending(path: "crashes").path).count == 1)
        }
    }

    @Test func `A killed run is removed without a report`() async throws {
        try await withTemporaryFolder { data in
            try makeUnfinishedRun(metadata, backtrace: nil, in: data)
            let crashes = CrashDirectory(in: data)

            #expect(crashes.collect(Redaction()).isEmpty)
            #expect(try FileManager.default.contentsOfDirectory(atPath: data.appending(path: "crashes").path).isEmpty)
        }
    }

    @Test func `The report states that there was no backtracer`() async throws {
        try await withTemporaryFolder { data in
            var metadata = metadata
            metadata.hasBacktrace = false
            try makeUnfinishedRun(metadata, backtrace: nil, in: data)

            let reports = CrashDirectory(in: data).collect(Redaction())

            try #require(reports.count == 1)
            let text = try String(contentsOf: reports[0], encoding: .utf8)
            #expect(text.hasPrefix("Lading ended unexpectedly\n"))
            #expect(text.contains("Backtrace\nNone: Swift's backtracer was not found"))
        }
    }

    @Test func `A run that has not ended is not collected, and leaves nothing when it ends`() async throws {
        try await withTemporaryFolder { data in
            let crashes = CrashDirectory(in: data)
            let run = try crashes.begin(metadata, process: 7)
            try Data("x".utf8).write(to: crashes.backtrace(of: 7))

            #expect(crashes.collect(Redaction()).isEmpty)
            #expect(FileManager.default.fileExists(atPath: crashes.backtrace(of: 7).path))

            run.end()
            run.end()

            #expect(try FileManager.default.contentsOfDirectory(atPath: data.appending(path: "crashes").path).isEmpty)
        }
    }

    @Test func `A process id can be used again after a crash`() async throws {
        try await withTemporaryFolder { data in
            let crashes = CrashDirectory(in: data)
            try makeUnfinishedRun(metadata, process: 7, backtrace: "x", in: data)

            #expect(crashes.collect(Redaction()).count == 1)
            let run = try crashes.begin(metadata, process: 7)

            #expect(FileManager.default.fileExists(atPath: crashes.backtrace(of: 7).deletingLastPathComponent().path))
            run.end()
        }
    }

    @Test func `The oldest reports are removed first`() async throws {
        try await withTemporaryFolder { data in
            let crashes = CrashDirectory(in: data)
            let old = data.appending(path: "crashes")
            try FileManager.default.createDirectory(at: old, withIntermediateDirectories: true)
            for number in 10..<30 {
                let report = old.appending(path: "crash-202001\(number)T000000Z-1.txt")
                try Data("x".utf8).write(to: report)
                try CrashDirectory.markSent(report)
            }
            try makeUnfinishedRun(metadata, backtrace: "x", in: data)

            let new = crashes.collect(Redaction())

            #expect(crashes.reports.count == CrashDirectory.reportLimit)
            #expect(crashes.reports.last?.lastPathComponent == new.last?.lastPathComponent)
            #expect(try FileManager.default.contentsOfDirectory(atPath: old.path).count == 2 * CrashDirectory.reportLimit - 1)
        }
    }

    @Test func `A directory without a readable run is removed`() async throws {
        try await withTemporaryFolder { data in
            let runFolder = data.appending(path: "crashes/running-9")
            try FileManager.default.createDirectory(at: runFolder, withIntermediateDirectories: true)
            try Data("{".utf8).write(to: runFolder.appending(path: CrashRun.lockName))
            try Data("x".utf8).write(to: runFolder.appending(path: CrashRun.backtraceName))

            #expect(CrashDirectory(in: data).collect(Redaction()).isEmpty)
            #expect(!FileManager.default.fileExists(atPath: runFolder.path))
        }
    }
}
