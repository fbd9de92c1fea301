import Foundation
import HistoryChecking
import Synchronization

/// A file of history records, or standard output, written line by line, so that a killed program leaves all but the last.
final class HistoryWriter: Sendable {
    private let file: Mutex<FileHandle>

    /// Creates the file, or replaces its content; `-` is standard output. The call waits until a pipe has a reader.
    ///
    /// - Throws: `ProgramFailure`.
    init(_ path: String) throws {
        guard path != "-" else {
            file = Mutex(.standardOutput)
            return
        }
        let file = URL(filePath: path, directoryHint: .notDirectory)
        let descriptor = open(file.path(percentEncoded: false), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw ProgramFailure.cannotWrite(file, POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)) }
        self.file = Mutex(FileHandle(fileDescriptor: descriptor, closeOnDealloc: true))
    }

    func write(_ records: [HistoryRecord]) throws {
        guard !records.isEmpty else { return }
        let text = records.map { HistoryFile.line($0) + "\n" }.joined()
        try file.withLock { try $0.write(contentsOf: Data(text.utf8)) }
    }

    func close() throws { try file.withLock { try $0.close() } }
}
