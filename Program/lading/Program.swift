import ArgumentParser
import Foundation
import Logging

/// The command line: parses arguments, composes the program, and reports failures in one line.
@main
struct Program: AsyncParsableCommand {
    /// The version of the program, which crash reports contain.
    static let version = "0.1.0"

    static let configuration = CommandConfiguration(
        commandName: "lading",
        abstract: "Load, cache and show long lists from remote servers.",
        discussion: """
            Without a subcommand, starts the demo: a server with the orders and deliveries of a fictional city and the photos \
            of Mars rovers, and a web page that shows them.

            Exit codes: 0 success, 1 failure, 64 usage error, 130 interrupted, 141 broken pipe.
            """,
        version: version,
        subcommands: [
            RunCommand.self, ServeCommand.self, WindowCommand.self, OrdersCommand.self, OrderCommand.self, DeliveriesCommand.self,
            PhotosCommand.self, RoversCommand.self, DownloadCommand.self, UploadCommand.self, TransfersCommand.self,
            ProxyCommand.self, PeopleCommand.self, ImportCommand.self, ExportCommand.self, BackupCommand.self, RestoreCommand.self,
            BeginEpochCommand.self, CheckCommand.self, SimulateCommand.self, CheckHistoryCommand.self, CacheSimulationCommand.self,
        ],
        defaultSubcommand: RunCommand.self)

    static func main() async {
        // A closed pipe is an error of the write that notices it, so that commands clean up.
        signal(SIGPIPE, SIG_IGN)
        LoggingSystem.bootstrap { label in
            var handler = StreamLogHandler(label: label, stream: LogStream())
            handler.logLevel = .warning
            return handler
        }
        do {
            var command = try parse()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch let failure as ProgramFailure {
            failure.exitProgram()
        } catch let code as ExitCode {
            exit(withError: code)
        } catch  where exitCode(for: error) == .validationFailure {
            // The message repeats the arguments, which may contain a URL with a key.
            Terminal.error.write(fullMessage(for: error) + "\n")
            Foundation.exit(ExitCode.validationFailure.rawValue)
        } catch  where exitCode(for: error) != .failure || error is CleanExit {
            exit(withError: error)
        } catch {
            ProgramFailure(error).exitProgram()
        }
    }

    /// Parses the arguments. Call this before the first await, while the main thread is the only one, because it may restart the program.
    private static func parse() throws -> any ParsableCommand {
        try requireKnownCommand()
        let command = try parseAsRoot()
        if let command = command as? any CrashReportingCommand { CrashMonitor.enableBacktraces(for: command) }
        if let command = command as? any DataDirectoryCommand, let data = command.dataDirectory {
            DataDirectory(data).makePrivate(creatingStores: command.createsStores)
        }
        return command
    }

    /// Checks the name of the command, which would count as an argument of the default command.
    private static func requireKnownCommand() throws {
        guard let name = CommandLine.arguments.dropFirst().first, !name.hasPrefix("-") else { return }
        let names = ["help"] + configuration.subcommands.map { $0._commandName }
        guard !names.contains(name) else { return }
        throw ValidationError("There is no command '\(name)': \"lading help\" lists all.")
    }
}

/// The destination of log messages.
private struct LogStream: TextOutputStream, Sendable {
    mutating func write(_ string: String) { Terminal.error.write(string) }
}
