import Foundation
import OrderFiles
import Synchronization

/// The file of the rows that an import skips, to be mended and imported.
///
/// The rows are written as they are read, because a pipe cannot be read again. The file gets its name when it is complete.
final class FaultyRowsFile: Sendable {
    private let url: URL
    /// Nil before the first row, and after the end.
    private let part = Mutex<PartFile?>(nil)

    /// - Parameter path: The path of the file; nil for a file beside the source, with `-faulty` in its name.
    init(of source: URL, at path: String?) {
        url = path.map { URL(filePath: $0) } ?? Self.defaultURL(beside: source)
    }

    private static func defaultURL(beside source: URL) -> URL {
        let name = "\(source.deletingPathExtension().lastPathComponent)-faulty"
        let suffix = source.pathExtension.isEmpty ? "" : ".\(source.pathExtension)"
        return source.deletingLastPathComponent().appending(path: name + suffix)
    }

    /// Checks that there is no file yet, which would be replaced.
    ///
    /// - Throws: `ProgramFailure`.
    func requireAbsence() throws {
        guard FileManager.default.fileExists(atPath: url.path) else { return }
        throw ProgramFailure(message: "\(url.path) exists: remove it, or choose another file with --faulty-rows")
    }

    /// Appends a faulty row as it is, with its problems in the first column, and before the first row the header.
    ///
    /// - Throws: `ProgramFailure`.
    func append(_ row: RejectedRow, _ layout: OrderFileLayout) throws {
        let file = RejectedRowFile(layout)
        let failure = "the faulty rows cannot be written to \(url.path): nothing was imported; choose another file with --faulty-rows"
        try part.withLock { part in
            let header = part == nil ? file.header : []
            let target = try part ?? PartFile(of: url, creationFailure: failure)
            part = target
            try target.write(header + file.row(row))
        }
    }

    /// Gives the file its name, and reports it. Without a row there is no file.
    ///
    /// - Throws: `ProgramFailure`.
    func complete() throws {
        do {
            let isWritten = try part.withLock { part -> Bool in
                guard let written = part else { return false }
                try written.complete()
                part = nil
                return true
            }
            if isWritten { Terminal.error.write("The faulty rows are in \(url.path): mend and import it.\n") }
        } catch {
            let reason = ProgramFailure(error).message ?? "\(error)"
            throw ProgramFailure(message: "the orders were imported, but the file of the faulty rows was not written: \(reason)")
        }
    }

    /// Removes the rows of an import that failed. A complete file stays.
    func discard() {
        part.withLock { part in
            part?.remove()
            part = nil
        }
    }
}
