import ArgumentParser
import Foundation
import Geocoding
import LadingNIO
import OrderFiles
import OrderLifecycle
import OrderStorage
import Origin
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
            The URL of a geocoder with {address} in it, such as https://example.org/search?q={address}&format=json&limit=1, for rows without \
            coordinates. One request in a second is sent at most; answers are stored for 30 days. Without it such orders are created and listed.
            """, valueName: "template"),
        transform: { text in
            guard let template = GeocoderTemplate(text) else {
                throw ValidationError("'\(text)' is no template: write an http or https URL with {address} in it.")
            }
            return template
        })
    var geocoder: GeocoderTemplate?

    @Option(help: ArgumentHelp("The data directory (default: \(OriginOptions.defaultDirectory.path)).", valueName: "dir"))
    var data: String?

    @OptionGroup var shared: SharedDatabaseOptions

    var dataDirectory: URL? { OriginOptions.directory(named: data) }

    func validate() throws {
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

    func run() async throws {
        if let faultyRowsFile, FileManager.default.fileExists(atPath: faultyRowsFile.path) {
            throw ProgramFailure(message: "\(faultyRowsFile.path) exists: remove it, or choose another file with --faulty-rows")
        }
        let source = OrderFile(URL(filePath: file))
        let options = OrderFileReader.Options(
            timeZone: timeZone.flatMap { TimeZone(identifier: $0) } ?? .current, defaultCurrency: currency)
        let result = try await withGeocoder { try await importFile(source, options, geocoder: $0) }
        report(result.preview)
        if let faultyRowsFile, result.preview.faultyCount > 0 { try writeFaultyRows(of: source, options, to: faultyRowsFile) }
        guard mode != .preview, let progress = result.progress else {
            if result.preview.faultyCount > 0 {
                let advice = check ? "" : ": nothing was imported; mend the rows, or import the others with --skip-faulty"
                throw ProgramFailure(message: "\(Self.text(result.preview.faultyCount, "faulty row"))\(advice)")
            }
            Terminal.output.write("\(Self.text(result.preview.orderCount, "order")), no faulty row\n")
            return
        }
        let existing = progress.existing > 0 ? ", \(Self.text(progress.existing, "order")) existed before" : ""
        Terminal.output.write("\(Self.text(progress.created, "order")) created\(existing)\n")
    }

    /// Runs an import with the geocoder of the options, if there is one, and reports its failure.
    private func withGeocoder<Result>(_ body: ((any AddressGeocoder)?) async throws -> Result) async throws -> Result {
        guard let geocoder else { return try await body(nil) }
        return try await CacheStorage.with(.places, in: dataDirectory) { store in
            let executor = AsyncHTTPClientExecutor(connectionsPerHost: 1)
            let service = Geocoder(geocoder, name: "Lading/\(Program.version)", executor: executor, store: store)
            do {
                let result = try await body(service)
                try await executor.shutdown()
                if let failure = await service.failure {
                    let end = await service.hasGivenUp ? "; no more requests were sent to it" : ""
                    Terminal.error.write("lading: the geocoder failed (\(failure.oneLine))\(end)\n")
                }
                return result
            } catch {
                try? await executor.shutdown()
                throw error
            }
        }
    }

    private func importFile(
        _ source: OrderFile, _ options: OrderFileReader.Options, geocoder: (any AddressGeocoder)?
    ) async throws -> OrderImporter.Result {
        let files = try await OriginOrderFiles(in: shared.location(data: data), createsDatabase: true)
        let bar = Mutex(ProgressBar("Reading", total: source.size))
        let mode = mode
        do {
            let result = try await SignalHandling.cancelOnInterrupt {
                try await files.completeImports()
                return try await files.import(
                    source, mode: mode, options: options, geocoder: geocoder,
                    readProgress: { count in bar.withLock { $0.advance(to: count) } })
            }
            bar.withLock { $0.clear() }
            try await files.close()
            return result
        } catch {
            bar.withLock { $0.clear() }
            try? await files.close()
            guard case OrderStoreError.rowsSkippedBefore = error else { throw error }
            throw ProgramFailure(
                message: """
                    \(file) was imported before without some of its rows: nothing was imported; import it with the earlier options and \
                    --skip-faulty, which creates nothing and writes these rows to a file, and import that file
                    """)
        }
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

    /// The file for faulty rows; nil if they are not written.
    private var faultyRowsFile: URL? {
        guard skipFaulty else { return nil }
        if let faultyRows { return URL(filePath: faultyRows) }
        let source = URL(filePath: file)
        let name = source.deletingPathExtension().lastPathComponent
        return source.deletingLastPathComponent().appending(path: "\(name)-faulty.\(source.pathExtension)")
    }

    /// Writes the faulty rows as they are, with their problems in the first column. The file is readable only by its owner.
    private func writeFaultyRows(of source: OrderFile, _ options: OrderFileReader.Options, to target: URL) throws {
        guard FileManager.default.createFile(atPath: target.path, contents: nil, attributes: [.posixPermissions: 0o600]) else {
            throw ProgramFailure(
                message: "the orders were imported, but the faulty rows cannot be written to \(target.path): choose another file")
        }
        let handle = try FileHandle(forWritingTo: target)
        var (reader, rows, isStarted) = (OrderFileReader(options: options), [RejectedRow](), false)
        func receive(_ event: OrderFileEvent) { if case .faulty(let row) = event { rows.append(row) } }
        func write() throws {
            guard let file = reader.layout.map(RejectedRowFile.init) else { return }
            try handle.write(contentsOf: Data((isStarted ? [] : file.header) + rows.flatMap(file.row)))
            (rows, isStarted) = ([], true)
        }
        var parts = try source.parts()
        while let part = try parts.next() {
            try reader.read(part.span, receive: receive)
            try write()
        }
        try reader.finish(receive: receive)
        try write()
        try handle.close()
        Terminal.error.write("The faulty rows are in \(target.path): mend and import it.\n")
    }

    private static func text(_ count: Int, _ noun: String, plural: String? = nil) -> String {
        "\(count) \(count == 1 ? noun : plural ?? "\(noun)s")"
    }
}

/// `lading export`: writes orders as a file.
struct ExportCommand: AsyncParsableCommand, DataDirectoryCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write orders as a file in CSV or JSON Lines.",
        discussion: """
            The file can be imported again. In CSV a value that a spreadsheet would take for a formula begins with an apostrophe, which an \
            import removes. The command works while the server runs.
            """)

    @Option(help: ArgumentHelp("The format: csv or jsonl.", valueName: "format"))
    var format = "csv"

    @Option(help: ArgumentHelp("The states, with commas between them (default: all).", valueName: "states"))
    var state: String?

    @Option(
        help: ArgumentHelp(
            "Words; an order matches if each of them is the beginning of a word in its title, address or note.", valueName: "words"))
    var text: String?

    @Option(help: ArgumentHelp("The file (default: standard output).", valueName: "file"), completion: .file())
    var output: String?

    @Option(help: ArgumentHelp("A folder for the proofs of the orders.", valueName: "dir"), completion: .directory)
    var proofs: String?

    @Option(help: ArgumentHelp("The data directory (default: \(OriginOptions.defaultDirectory.path)).", valueName: "dir"))
    var data: String?

    @OptionGroup var shared: SharedDatabaseOptions
    @OptionGroup var blobOptions: BlobOptions

    var dataDirectory: URL? { OriginOptions.directory(named: data) }

    func validate() throws {
        guard OrderFileFormat(fileExtension: format) != nil else { throw ValidationError("'\(format)' is no format: write csv or jsonl.") }
        try blobOptions.validate(with: shared)
        for name in names where OrderState(rawValue: name) == nil {
            let states = OrderState.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("'\(name)' is no state: write some of \(states).")
        }
    }

    private var names: [String] { state?.split(separator: ",").map(String.init) ?? [] }

    func run() async throws {
        let states = names.isEmpty ? OrderState.allCases : names.compactMap(OrderState.init(rawValue:))
        let query = BoardQuery(.states(Set(states)), text: text)
        let contents = try await blobOptions.open()
        do {
            try await export(OriginOrderFiles(in: shared.location(data: data, proofContents: contents)), query)
        } catch {
            await contents?.shutDown()
            throw error
        }
        await contents?.shutDown()
    }

    private func export(_ files: OriginOrderFiles, _ query: BoardQuery) async throws {
        do {
            try await files.completeImports()
            let (count, proofCount) = try await SignalHandling.cancelOnInterrupt {
                try await (write(query, files), writeProofs(query, files))
            }
            try await files.close()
            let suffix = proofCount.map { ", \($0) proofs" } ?? ""
            if output != nil || proofs != nil { Terminal.error.write("\(count) orders\(suffix)\n") }
        } catch {
            try? await files.close()
            throw error
        }
    }

    private func write(_ query: BoardQuery, _ files: OriginOrderFiles) async throws -> Int {
        var export = files.export(query, format: OrderFileFormat(fileExtension: format) ?? .csv)
        guard let output else {
            while let part = try await export.next() {
                try Task.checkCancellation()
                Terminal.output.write(String(decoding: part, as: UTF8.self))
            }
            return export.count
        }
        // A file that is not complete is never there under its name.
        let target = URL(filePath: output)
        let partial = target.appendingPathExtension("part")
        guard FileManager.default.createFile(atPath: partial.path, contents: nil, attributes: [.posixPermissions: 0o600]) else {
            throw ProgramFailure(message: "cannot write \(target.path): choose a folder that exists and is writable")
        }
        do {
            let handle = try FileHandle(forWritingTo: partial)
            while let part = try await export.next() {
                try Task.checkCancellation()
                try handle.write(contentsOf: Data(part))
            }
            try handle.close()
            guard rename(partial.path, target.path) == 0 else {
                throw ProgramFailure(message: "cannot write \(target.path): \(String(cString: strerror(errno)))")
            }
            return export.count
        } catch {
            try? FileManager.default.removeItem(at: partial)
            throw error
        }
    }

    private func writeProofs(_ query: BoardQuery, _ files: OriginOrderFiles) async throws -> Int? {
        guard let proofs else { return nil }
        let folder = URL(filePath: proofs)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        return try await files.exportProofs(query, to: folder)
    }
}
