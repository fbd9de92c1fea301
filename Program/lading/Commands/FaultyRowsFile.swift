import Foundation
import OrderFiles

/// The file of the rows that an import skips, to be mended and imported.
struct FaultyRowsFile {
    private let url: URL

    /// - Parameter path: The path of the file; nil for a file beside the source, with `-faulty` in its name.
    init(of source: URL, at path: String?) {
        url = path.map { URL(filePath: $0) } ?? Self.defaultURL(beside: source)
    }

    private static func defaultURL(beside source: URL) -> URL {
        let name = source.deletingPathExtension().lastPathComponent
        return source.deletingLastPathComponent().appending(path: "\(name)-faulty.\(source.pathExtension)")
    }

    /// Checks that there is no file yet, which would be replaced.
    ///
    /// - Throws: `ProgramFailure`.
    func requireAbsence() throws {
        guard FileManager.default.fileExists(atPath: url.path) else { return }
        throw ProgramFailure(message: "\(url.path) exists: remove it, or choose another file with --faulty-rows")
    }

    /// Writes the faulty rows of a file as they are, with their problems in the first column.
    ///
    /// - Throws: `ProgramFailure`, `OrderFileError`, or an error of the disk.
    func write(rowsOf source: OrderFile, _ options: OrderFileReader.Options) async throws {
        let failure = "the orders were imported, but the faulty rows cannot be written to \(url.path): choose another file"
        try await PartFileWriter.write(url, creationFailure: failure) { try Self.copyRows(of: source, options, to: $0) }
        Terminal.error.write("The faulty rows are in \(url.path): mend and import it.\n")
    }

    private static func copyRows(of source: OrderFile, _ options: OrderFileReader.Options, to target: FileHandle) throws {
        var reader = OrderFileReader(options: options)
        var rows: [RejectedRow] = []
        var isStarted = false
        func receive(_ event: OrderFileEvent) { if case .faulty(let row) = event { rows.append(row) } }
        func write() throws {
            guard let file = reader.layout.map(RejectedRowFile.init) else { return }
            try target.write(contentsOf: Data((isStarted ? [] : file.header) + rows.flatMap(file.row)))
            (rows, isStarted) = ([], true)
        }
        var parts = try source.parts()
        while let part = try parts.next() {
            try reader.read(part.span, receive: receive)
            try write()
        }
        try reader.finish(receive: receive)
        try write()
    }
}
