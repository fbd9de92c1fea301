import ArgumentParser
import Foundation
import Geocoding
import LadingNIO
import OrderFiles
import OrderStorage
import Origin
import SQLiteFiles
import Synchronization

/// `lading import`: creates the orders of a file.
struct ImportCommand: AsyncParsableCommand, DataDirectoryCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Create orders from a file in CSV or JSON Lines.",
        discussion: """
            The first row of CSV names the columns, in any order: title, price, currency and address, and optionally externalId, due, latitude, \
            longitude, radius, radiusUnit, items ("12 x 2 kg; 7 x 1 pc."), note, deliveryTime and pin. Commas, semicolons and tabs separate \
            columns; the text is UTF-8 or UTF-16.

            All orders are created, or none if a row is faulty. An order whose externalId exists is not created again, nor are the orders of a \
            file that has been imported before. The command works while the server runs, whose pages show the orders at once.
            """)

    @Argument(help: "The file.", completion: .file())
    var file: String

    @Flag(help: "Check the file, and create nothing.")
    var check = false

    @Flag(help: "Create the orders of the other rows, and write the faulty rows to a file to correct.")
    var skipFaulty = false

    @Option(
        help: ArgumentHelp("The file for faulty rows (default: beside the file, with -faulty in its name).", valueName: "file"),
        completion: .file())
    var faultyRows: String?

    @Option(
        help: ArgumentHelp("The time zone of times without one, such as Europe/Berlin (default: that of this machine).", valueName: "zone"))
    var timeZone: String?

    @Option(help: ArgumentHelp("The currency of rows without one, such as EUR.", valueName: "code"))
    var currency: String?

    @Option(
        help: ArgumentHelp(
            """
            The URL of a geocoder with {address} in it, such as https://example.org/search?q={address}&format=json&limit=1, or @FILE with \
            it, for rows without coordinates. One request in a second is sent at most; answers are stored for 30 days. Without it such \
            orders are created and listed.
            """, valueName: "template"),
        transform: { text in
            guard let template = GeocoderTemplate(try ConfidentialArgument.text(of: text)) else {
                throw ValidationError("It is no template: write an http or https URL with {address} in it.")
            }
            return template
        })
    var geocoder: GeocoderTemplate?

    @Option(help: SharedDatabaseOptions.dataHelp)
    var data: String?

    @OptionGroup var shared: SharedDatabaseOptions

    var dataDirectory: URL? { OriginOptions.directory(named: data) }
    var createsStores: Bool { !check }

    func validate() throws {
        try OriginOptions.validate(data: data)
        if check, geocoder != nil { throw ValidationError("--check does not use a geocoder: remove --geocoder.") }
        if check, skipFaulty { throw ValidationError("Choose --check or --skip-faulty.") }
        if faultyRows != nil, !skipFaulty { throw ValidationError("--faulty-rows needs --skip-faulty.") }
        if let timeZone, TimeZone(identifier: timeZone) == nil {
            throw ValidationError("'\(timeZone)' is no time zone: write a name such as Europe/Berlin.")
        }
        if let currency, currency.wholeMatch(of: /[A-Z]{3}/) == nil {
            throw ValidationError("'\(currency)' is no currency: write a code such as EUR.")
        }
    }

    private var mode: OrderImporter.Mode { check ? .preview : skipFaulty ? .skipFaulty : .allOrNothing }

    /// The file for faulty rows; nil if they are not written.
    private var faultyRowsFile: FaultyRowsFile? { skipFaulty ? FaultyRowsFile(of: URL(filePath: file), at: faultyRows) : nil }

    func run() async throws {
        let faultyRowsFile = faultyRowsFile
        try faultyRowsFile?.requireAbsence()
        let source = OrderFile(URL(filePath: file))
        let options = OrderFileReader.Options(
            timeZone: timeZone.flatMap { TimeZone(identifier: $0) } ?? .current, defaultCurrency: currency)
        let result = try await withResource(faultyRowsFile, close: { $0?.discard() }) { rows in
            let result = try await withGeocoder { try await importFile(source, options, geocoder: $0, rows) }
            report(result.preview)
            try rows?.complete()
            return result
        }
        try reportOutcome(of: result)
    }

    // MARK: - Importing

    /// Runs an import with the geocoder of the options, if there is one, and reports its failure.
    private func withGeocoder<Outcome>(_ body: ((any AddressGeocoder)?) async throws -> Outcome) async throws -> Outcome {
        guard let geocoder else { return try await body(nil) }
        return try await CacheStorage.with(.places, in: dataDirectory) { store in
            try await withResource(AsyncHTTPClientExecutor(connectionsPerHost: 1), close: { try await $0.shutdown() }) { executor in
                let service = Geocoder(geocoder, name: "Lading/\(Program.version)", executor: executor, store: store)
                let outcome = try await body(service)
                await Self.reportFailure(of: service)
                return outcome
            }
        }
    }

    /// Imports a file.
    ///
    /// - Parameter rows: Receives the faulty rows; nil if they are not written.
    private func importFile(
        _ source: OrderFile, _ options: OrderFileReader.Options, geocoder: (any AddressGeocoder)?, _ rows: FaultyRowsFile?
    ) async throws -> OrderImporter.Result {
        if check { return try await Self.checkFile(source, options) }
        do {
            return try await withResource(
                OriginOrderFiles(in: shared.location(data: data), createsDatabase: true), close: { try await $0.close() }
            ) { files in
                try await importFile(source, options, geocoder: geocoder, rows, into: files)
            }
        } catch OrderStoreError.rowsSkippedBefore {
            throw ProgramFailure(
                message: """
                    \(file) was imported before without some of its rows: nothing was imported; import it with the earlier options and \
                    --skip-faulty, which creates nothing and writes these rows to a file, and import that file
                    """)
        } catch let error as UnfinishedImport {
            throw ProgramFailure(
                message: """
                    \(file): the import is accepted, \(Self.text(error.progress.created, "order")) created; a running server, or the next \
                    import or export, creates the others (\(reason(for: error.cause))); import the same file again to learn the result
                    """)
        }
    }

    /// Reads a file without a database.
    private static func checkFile(_ source: OrderFile, _ options: OrderFileReader.Options) async throws -> OrderImporter.Result {
        let bar = Mutex(ProgressBar("Reading", total: source.size))
        defer { bar.withLock { $0.clear() } }
        return try await SignalHandling.cancelOnInterrupt {
            var (reader, preview) = (OrderFileReader(options: options), OrderFilePreview())
            var parts = try source.parts()
            while let part = try parts.next() {
                try Task.checkCancellation()
                try reader.read(part.span) { preview.add($0) }
                bar.withLock { $0.advance(to: reader.progress.byteCount) }
            }
            try reader.finish { preview.add($0) }
            return OrderImporter.Result(preview: preview, progress: nil)
        }
    }

    private func reason(for error: any Error) -> String {
        let isDiskFull = SQLiteFile.isDiskFull(error, at: OriginOptions.directory(named: data).appending(path: "origin.sqlite"))
        return isDiskFull ? "the disk is full: free up space" : ProgramFailure(error).message ?? "\(error)"
    }

    private func importFile(
        _ source: OrderFile, _ options: OrderFileReader.Options, geocoder: (any AddressGeocoder)?, _ rows: FaultyRowsFile?,
        into files: OriginOrderFiles
    ) async throws -> OrderImporter.Result {
        let bar = Mutex(ProgressBar("Reading", total: source.size))
        defer { bar.withLock { $0.clear() } }
        let mode = mode
        return try await SignalHandling.cancelOnInterrupt {
            try await files.completeImports()
            return try await files.import(
                source, mode: mode, options: options, geocoder: geocoder, onFaultyRow: { try rows?.append($0, $1) },
                readProgress: { count in bar.withLock { $0.advance(to: count) } })
        }
    }

    // MARK: - Reports

    private static func reportFailure(of geocoder: Geocoder) async {
        guard let failure = await geocoder.failure else { return }
        let end = await geocoder.hasGivenUp ? "; no more requests were sent to it" : ""
        Terminal.error.write("lading: the geocoder failed (\(failure.oneLine))\(end)\n")
    }

    private func report(_ preview: OrderFilePreview) {
        for notice in preview.notices { Terminal.error.write("lading: \(notice)\n") }
        for row in preview.rejectedRows {
            for line in row.descriptions { Terminal.error.write("\(line.oneLine)\n") }
        }
        let hidden = preview.faultyCount - preview.rejectedRows.count
        if hidden > 0 { Terminal.error.write("… and \(Self.text(hidden, "more faulty row"))\n") }
        guard preview.unlocatedCount > 0 else { return }
        Terminal.error.write("\(Self.text(preview.unlocatedCount, "address", plural: "addresses")) without coordinates:\n")
        for address in preview.unlocatedAddresses { Terminal.error.write("row \(address.row): \(address.address.oneLine)\n") }
    }

    /// Prints the number of orders.
    ///
    /// - Throws: `ProgramFailure` if there are faulty rows and they were not to be skipped.
    private func reportOutcome(of result: OrderImporter.Result) throws {
        if mode != .preview, let progress = result.progress {
            let existing = progress.existing > 0 ? ", \(Self.text(progress.existing, "order")) existed before" : ""
            Terminal.output.write("\(Self.text(progress.created, "order")) created\(existing)\n")
            return
        }
        guard result.preview.faultyCount == 0 else {
            let advice = check ? "" : ": nothing was imported; mend the rows, or import the others with --skip-faulty"
            throw ProgramFailure(message: "\(Self.text(result.preview.faultyCount, "faulty row"))\(advice)")
        }
        Terminal.output.write("\(Self.text(result.preview.orderCount, "order")), no faulty row\n")
    }

    private static func text(_ count: Int, _ noun: String, plural: String? = nil) -> String {
        "\(count) \(count == 1 ? noun : plural ?? "\(noun)s")"
    }
}
