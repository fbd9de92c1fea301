import Foundation

/// The section of a command in Docs/CLI.md.
struct CommandSection: Sendable {
    /// The heading, such as `lading transfers list`.
    let command: String
    /// The rows of the table of options.
    let options: [CommandHelp.Option]
    /// All names of options in the section, those of its text and examples included.
    let mentionedOptions: Set<String>

    static func all() throws -> [CommandSection] {
        let package = (1...4).reduce(URL(filePath: #filePath)) { file, _ in file.deletingLastPathComponent() }
        return all(in: try String(contentsOf: package.appending(path: "Docs/CLI.md"), encoding: .utf8))
    }

    /// Returns the sections of a page with headings that name a command; a section ends at the next heading.
    static func all(in page: String) -> [CommandSection] {
        var sections: [(heading: String, lines: [String])] = [("", [])]
        for line in page.components(separatedBy: "\n") {
            if let heading = line.wholeMatch(of: /#{2,3} (.*)/) {
                sections.append((String(heading.1), []))
            } else {
                sections[sections.count - 1].lines.append(line)
            }
        }
        return sections.filter { $0.heading.split(separator: " ").first == "lading" }.map(CommandSection.init)
    }

    private init(heading: String, lines: [String]) {
        command = heading
        options = lines.compactMap(Self.option).filter { !["--help", "--version"].contains($0.name) }
        mentionedOptions = Set(lines.flatMap { $0.matches(of: /--[a-z][a-z-]*/).map { String($0.output) } })
    }

    /// Returns the option of a table row: its name and placeholder, its description, and its default.
    ///
    /// A default is compared by its first word, without the commas in a number.
    private static func option(_ line: String) -> CommandHelp.Option? {
        let cells = line.split(separator: "|", omittingEmptySubsequences: false)
        guard cells.count == 5, let match = cells[1].firstMatch(of: /`(--[a-z-]+)( [^`]+)?`/) else { return nil }
        let defaultValue = cells[3].split { $0 == " " || $0 == ";" }.first.map { word in String(word.filter { $0 != "," && $0 != "`" }) }
        return CommandHelp.Option(name: String(match.1), takesValue: match.2 != nil, defaultValue: defaultValue)
    }
}
