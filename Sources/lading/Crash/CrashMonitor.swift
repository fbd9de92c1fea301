import ArgumentParser
import CrashReports
import Foundation
import LadingHTTP
import LadingNIO

/// A command that runs long enough to be missed when it crashes; one without a data directory has no reports.
protocol CrashReportingCommand: DataDirectoryCommand {}

/// Sees to reports of crashes around a command: tells of the last one, sends it if asked to, and leaves what the next one needs.
///
/// Whatever fails here, the command runs all the same.
struct CrashMonitor {
    private let crashes: CrashDirectory
    private let command: String
    private let recipient: URL?

    private init(_ crashes: CrashDirectory, _ command: String, _ options: CrashOptions) {
        (self.crashes, self.command, recipient) = (crashes, command, options.crashReports?.url)
    }

    /// Begins the program anew, with its backtraces sent to the data directory of the command, unless that is so already.
    ///
    /// To be called before anything else happens.
    static func enableBacktraces(for command: any CrashReportingCommand) {
        guard let data = command.dataDirectory else { return }
        BacktraceSetting.restart(writingTo: CrashDirectory(in: data).backtrace())
    }

    /// Runs a body, which is handed where operations are to be written down; nil when nothing is kept.
    static func monitor<Outcome>(
        _ command: some CrashReportingCommand & AsyncParsableCommand, _ options: CrashOptions, _ body: (OperationRing?) async throws -> Outcome
    ) async throws -> Outcome {
        guard let data = command.dataDirectory else { return try await body(nil) }
        return try await CrashMonitor(CrashDirectory(in: data), type(of: command).configuration.commandName ?? "", options).run(body)
    }

    private func run<Outcome>(_ body: (OperationRing?) async throws -> Outcome) async throws -> Outcome {
        for report in crashes.collect(redaction) { announce(report) }
        let run = try? crashes.begin(
            RunMetadata(
                version: Program.version, command: command, system: ProcessInfo.processInfo.operatingSystemVersionString, started: Date(),
                hasBacktracer: BacktraceSetting.isBacktracerActive))
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
        let hint = recipient == nil ? "; nothing is sent unless --crash-reports says where to" : ""
        Terminal.error.write("lading: the program crashed; what is known of it lies in \(report.path(percentEncoded: false))\(hint)\n")
    }

    private func send(to recipient: URL) async {
        let network = AsyncHTTPClientExecutor(connectionsPerHost: 1)
        do {
            let count = try await CrashSender(BackendClient(executor: network), to: recipient).send(crashes)
            if count > 0 {
                Terminal.error.write("lading: \(count == 1 ? "the report of the crash was" : "\(count) reports of crashes were") sent\n")
            }
        } catch  where !Task.isCancelled {
            Terminal.error.write(
                "lading: the report of the crash could not be sent, and will be at the next start: \("\(error)".oneLine)\n")
        } catch {}
        try? await network.shutdown()
    }
}
