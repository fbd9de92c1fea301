import ArgumentParser
import Foundation
import Origin

/// `lading people`: manages the couriers and dispatchers of a data directory.
struct PeopleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "people", abstract: "Add, list and revoke couriers and dispatchers.",
        discussion: """
            A person signs in with a one-time link, which is valid for a day, and stays signed in while using the program at least every 90 \
            days. The commands work while the server runs. A revoked person is signed out within two seconds.
            """,
        subcommands: [Add.self, List.self, Link.self, Revoke.self, Erase.self], defaultSubcommand: List.self)

    struct Directory: ParsableArguments {
        @Option(help: SharedDatabaseOptions.dataHelp)
        var data: String?

        @OptionGroup var shared: SharedDatabaseOptions

        func validate() throws { try OriginOptions.validate(data: data) }

        var url: URL { OriginOptions.directory(named: data) }

        /// Performs work with the people of the directory.
        ///
        /// - Parameter createsDatabase: Whether a missing database is created; otherwise it is an error.
        func with<Value>(createsDatabase: Bool = false, _ work: (OriginPeople) async throws -> Value) async throws -> Value {
            try await withResource(
                OriginPeople(in: shared.location(data: data), createsDatabase: createsDatabase), close: { try await $0.close() }, work)
        }
    }

    struct LinkOptions: ParsableArguments {
        @Option(
            help: ArgumentHelp(
                "The address of the page, which the link begins with (default: \(Self.defaultAddress.absoluteString)).", valueName: "url"),
            transform: WebAddress.init(argument:))
        var url = WebAddress(Self.defaultAddress)

        /// The address of a page that was started without options.
        static let defaultAddress = URL(string: "http://127.0.0.1:\(WindowOptions.defaultPort)/")!

        /// Prints a link, and as a QR code if it goes to a terminal and `qrencode` is installed.
        func announce(_ secret: String, for name: String) {
            let link = url.url.signInLink(secret)
            Terminal.output.write("Link for \(name.oneLine), valid once until tomorrow: \(link)\n")
            if Terminal.output.isInteractive, let code = QRCode.text(of: link) { Terminal.output.write(code) }
        }
    }

    struct Add: AsyncParsableCommand, DataDirectoryCommand {
        static let configuration = CommandConfiguration(abstract: "Add a person and print a link to sign in.")

        @Argument(help: "The name, which others see.")
        var name: String

        @Flag(help: "Add a dispatcher, who sees and changes all orders, instead of a courier.")
        var dispatcher = false

        @OptionGroup var directory: Directory
        @OptionGroup var link: LinkOptions

        var dataDirectory: URL? { directory.url }

        func run() async throws {
            let secret = try await directory.with(createsDatabase: true) { try await $0.add(name, isDispatcher: dispatcher) }
            link.announce(secret, for: name)
        }
    }

    struct List: AsyncParsableCommand, DataDirectoryCommand {
        static let configuration = CommandConfiguration(abstract: "List all people.")

        @OptionGroup var directory: Directory

        var dataDirectory: URL? { directory.url }
        var createsStores: Bool { false }

        func run() async throws {
            let people = try await directory.with { try await $0.list() }
            for person in people {
                let role = person.isDispatcher ? "dispatcher" : "courier"
                let name = person.name?.oneLine ?? "(erased)"
                Terminal.output.write("\(person.id)  \(role)\(person.isRevoked ? " (revoked)" : "")  \(name)\n")
            }
            if people.isEmpty { Terminal.error.write("lading: there is nobody yet: lading people add NAME\n") }
        }
    }

    struct Link: AsyncParsableCommand, DataDirectoryCommand {
        static let configuration = CommandConfiguration(abstract: "Print a new link to sign in, in place of an earlier one.")

        @Argument(help: "The name or the id.")
        var person: String

        @OptionGroup var directory: Directory
        @OptionGroup var link: LinkOptions

        var dataDirectory: URL? { directory.url }
        var createsStores: Bool { false }

        func run() async throws {
            let secret = try await directory.with { try await $0.link(person) }
            link.announce(secret, for: person)
        }
    }

    struct Revoke: AsyncParsableCommand, DataDirectoryCommand {
        static let configuration = CommandConfiguration(
            abstract: "Sign a person out everywhere.", discussion: "The person's orders stay: a dispatcher reassigns them.")

        @Argument(help: "The name or the id.")
        var person: String

        @OptionGroup var directory: Directory

        var dataDirectory: URL? { directory.url }
        var createsStores: Bool { false }

        func run() async throws {
            try await directory.with { try await $0.revoke(person) }
        }
    }

    struct Erase: AsyncParsableCommand, DataDirectoryCommand {
        static let configuration = CommandConfiguration(
            abstract: "Sign a person out everywhere and erase the name.",
            discussion: """
                The history of orders keeps the id. A former person is erased too. Of several people with the name nobody is erased: name \
                one by the id.
                """)

        @Argument(help: "The name or the id.")
        var person: String

        @OptionGroup var directory: Directory

        var dataDirectory: URL? { directory.url }
        var createsStores: Bool { false }

        func run() async throws {
            let erased = try await directory.with { try await $0.erase(person) }
            Terminal.output.write("\(erased.id)\(erased.name.map { "  \($0.oneLine)" } ?? ""): erased\n")
        }
    }
}

extension URL {
    /// Returns the link to sign in at a page, with the secret in the fragment, which is not sent to servers.
    fileprivate func signInLink(_ secret: String) -> String { appending(path: "sign-in").absoluteString + "#" + secret }
}

extension OriginServer {
    /// Adds the first dispatcher where nobody is known yet, and prints the link.
    func announceFirstDispatcher(at page: URL) async {
        do {
            guard let secret = try await addFirstDispatcher() else { return }
            let link = page.signInLink(secret)
            Terminal.output.announce("The first dispatcher signs in, once and until tomorrow, with the link \(link)\n")
        } catch {
            Terminal.error.write("lading: cannot add the first dispatcher: \(error)\n")
        }
    }
}
