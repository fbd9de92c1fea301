import ArgumentParser
import CrashReports
import Foundation
import LadingHTTP
import LadingNIO

/// A long-running command with crash reports, provided that it has a data directory.
protocol CrashReportingCommand: DataDirectoryCommand {}

/// The crash reporting around a command: it announces the last crash, sends its report if requested, and prepares the next.
///
/// Its failures never prevent the command from running.
struct CrashMonitor {
    private let crashes: CrashDirectory
    private let command: String
    private let recipient: URL?

    private init(_ crashes: CrashDirectory, _ command: String, _ options: CrashOptions) {
        (self.crashes, self.command, recipient) = (crashes, command, options.crashReports?.url)
    }

    /// Restarts the program with backtraces written to the command's data directory, unless they already are.
    ///
    /// Call this before anything else.
    static func enableBacktraces(for command: any CrashReportingCommand) {
        guard let data = command.dataDirectory else { return }
        BacktraceSetting.restart(writingTo: CrashDirectory(in: data).backtrace())
    }

    /// Runs a body with a ring buffer for operations; nil without a data directory.
    static func monitor<Outcome>(
        _ command: some CrashReportingCommand & AsyncParsableCommand, _ options: CrashOptions,
        _ body: (OperationRing?) async throws -> Outcome
    ) async throws -> Outcome {
        guard let data = command.dataDirectory else { return try await body(nil) }
        return try await CrashMonitor(CrashDirectory(in: data), type(of: command).configuration.commandName ?? "", options).run(body)
    }

    private func run<Outcome>(_ body: (OperationRing?) async throws -> Outcome) async throws -> Outcome {
        for report in crashes.collect(redaction) { announce(report) }
        let run = try? crashes.begin(
            RunMetadata(
                version: Program.version, command: command, system: ProcessInfo.processInfo.operatingSystemVersionString, started: Date(),
                hasBacktrace: BacktraceSetting.isBacktraceActive))
        defer { run?.end() }
        let sending = recipient.map { recipient in Task { await send(to: recipient) } }
        let result: Result<Outcome, any Error>
        do { result = .success(try await body(run?.operations)) } catch { result = .failure(error) }
        sending?.cancel()
        await sending?.value
        return try result.get()
    }

    private var redaction: Redaction { Redaction(names: [NSUserName(), ProcessInfo.processInfo.hostName]) }

    private func announce(_ report: URL) {
        let hint = recipient == nil ? "; to send it, restart with --crash-reports URL" : ""
        Terminal.error.write("lading: the program crashed; the report is in \(report.path(percentEncoded: false))\(hint)\n")
    }

    private func send(to recipient: URL) async {
        let network = AsyncHTTPClientExecutor(connectionsPerHost: 1)
        do {
            let count = try await CrashSender(BackendClient(executor: network), to: recipient).send(crashes)
            if count > 0 {
                Terminal.error.write("lading: sent \(count == 1 ? "the crash report" : "\(count) crash reports")\n")
            }
        } catch  where !Task.isCancelled {
            Terminal.error.write(
                "lading: crash report not sent, retrying at the next start: \("\(error)".oneLine)\n")
        } catch {}
        try? await network.shutdown()
    }
}
