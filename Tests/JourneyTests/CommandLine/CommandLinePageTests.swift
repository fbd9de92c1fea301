import Testing

extension Journeys {
    /// Tests that Docs/CLI.md describes the commands and options of `lading help`.
    @Suite struct CommandLinePageTests {
        @Test func `The page has a section for each command, in the order of the help`() async throws {
            let commands = try await CommandHelp.all().map(\.command)

            #expect(commands.count > 15 && commands.contains("lading transfers list"))
            #expect(try CommandSection.all().map(\.command) == commands)
        }

        @Test func `A section lists the options of its command in the order of the help, and mentions no others`() async throws {
            let sections = Dictionary(try CommandSection.all().map { ($0.command, $0) }) { first, _ in first }

            for help in try await CommandHelp.all() {
                let section = try #require(sections[help.command], "\(help.command)")
                #expect(section.options.map(\.name) == help.options.map(\.name), "\(help.command)")
                #expect(section.options.map(\.takesValue) == help.options.map(\.takesValue), "\(help.command)")
                let known = Set(help.options.map(\.name)).union(["--help", "--version"])
                #expect(section.mentionedOptions.subtracting(known) == [], "\(help.command)")
            }
        }

        @Test func `A section gives the default values of the help`() async throws {
            let sections = Dictionary(try CommandSection.all().map { ($0.command, $0) }) { first, _ in first }

            for help in try await CommandHelp.all() {
                for option in help.options {
                    guard let defaultValue = option.defaultValue else { continue }
                    let row = sections[help.command]?.options.first { $0.name == option.name }
                    #expect(row?.defaultValue == defaultValue, "\(help.command) \(option.name)")
                }
            }
        }

        @Test func `Options and commands are read from the text of a help`() {
            let help = """
                USAGE: lading sort <options>

                OPTIONS:
                  --port <port>           The port; 0 chooses
                                          a free one. (default: 8080)
                  --data <dir>            The directory (default: /home/lading).
                  --json                  Print JSON.
                  -h, --help              Show help information.

                SUBCOMMANDS:
                  list (default)          List all.
                  pause                   Pause, as with
                                          the button.

                  See 'lading help sort <subcommand>' for detailed help.
                """

            let options = CommandHelp.options(in: help)

            #expect(
                options == [
                    CommandHelp.Option(name: "--port", takesValue: true, defaultValue: "8080"),
                    CommandHelp.Option(name: "--data", takesValue: true), CommandHelp.Option(name: "--json", takesValue: false),
                ])
            #expect(CommandHelp.subcommands(in: help) == ["list", "pause"])
        }

        @Test func `Options are read from the sections of a page`() {
            let page = """
                # Commands
                ## lading sort
                Sorts, unless `--offline`.

                | option | description | default |
                |---|---|---|
                | `--pages N` | the pages | 20,000 |
                | `--json` | prints JSON | |
                ## Others
                | `--none` | no option | |
                """

            let sections = CommandSection.all(in: page)

            #expect(sections.map(\.command) == ["lading sort"])
            #expect(
                sections.first?.options == [
                    CommandHelp.Option(name: "--pages", takesValue: true, defaultValue: "20000"),
                    CommandHelp.Option(name: "--json", takesValue: false),
                ])
            #expect(sections.first?.mentionedOptions == ["--offline", "--pages", "--json"])
        }
    }
}
