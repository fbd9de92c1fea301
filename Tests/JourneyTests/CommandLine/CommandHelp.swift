import Foundation

/// A command with its options, as `lading help` prints them.
struct CommandHelp: Sendable {
    /// The words of the command, such as `lading transfers list`.
    let command: String
    let options: [Option]

    /// An option of a command.
    struct Option: Equatable, Sendable {
        /// The long name with its dashes, such as `--port`.
        let name: String
        let takesValue: Bool
        /// The default value if it is a single number, address or word; nil if it is described or there is none.
        var defaultValue: String?
    }

    /// Returns the program and all its commands, each followed by its subcommands, in the order of the help.
    static func all() async throws -> [CommandHelp] { try await all(below: []) }

    private static func all(below words: [String]) async throws -> [CommandHelp] {
        let text = try await Program.run(["help"] + words).output
        let help = CommandHelp(command: (["lading"] + words).joined(separator: " "), options: options(in: text))
        var commands = [help]
        for subcommand in subcommands(in: text) { commands += try await all(below: words + [subcommand]) }
        return commands
    }
}

// MARK: - The text of the help

extension CommandHelp {
    /// Returns the options in the text of a help, without `--help` and `--version`, which all commands have.
    static func options(in text: String) -> [Option] {
        entries("OPTIONS:", in: text).compactMap(option).filter { !["--help", "--version"].contains($0.name) }
    }

    static func subcommands(in text: String) -> [String] {
        entries("SUBCOMMANDS:", in: text).compactMap { $0.split(separator: " ").first.map(String.init) }
    }

    /// Returns the entries of a list, each with its wrapped lines joined.
    private static func entries(_ title: String, in text: String) -> [String] {
        let lines = text.components(separatedBy: "\n")
        guard let start = lines.firstIndex(of: title) else { return [] }
        return lines[(start + 1)...].prefix { !$0.isEmpty }.reduce(into: []) { entries, line in
            let isContinuation = line.hasPrefix("   ")
            if isContinuation, let last = entries.popLast() {
                entries.append(last + " " + line.drop { $0 == " " })
            } else {
                entries.append(line)
            }
        }
    }

    private static func option(_ entry: String) -> Option? {
        let words = entry.split(separator: " ")
        guard let index = words.firstIndex(where: { $0.hasPrefix("--") }) else { return nil }
        let takesValue = words.dropFirst(index + 1).first?.hasPrefix("<") == true
        let defaultValue = entry.firstMatch(of: /\(default: ([A-Za-z0-9.]+)\)/).map { String($0.1) }
        return Option(name: String(words[index]), takesValue: takesValue, defaultValue: defaultValue)
    }
}
