import Foundation
import HistoryChecking
import Synchronization

/// A file of history records, or standard output, written line by line, so that a killed program leaves all but the last.
final class HistoryWriter: Sendable {
    private let file: Mutex<FileHandle>

    /// Creates the file, or replaces it; `-` is standard output.
    init(_ path: String) throws {
        guard path != "-" else {
            file = Mutex(.standardOutput)
            return
        }
        let file = URL(filePath: path, directoryHint: .notDirectory)
        guard FileManager.default.createFile(atPath: file.path(percentEncoded: false), contents: nil) else {
            throw ProgramFailure(message: "cannot write \(file.path(percentEncoded: false).oneLine)")
        }
        self.file = Mutex(try FileHandle(forWritingTo: file))
    }

    func write(_ records: [HistoryRecord]) throws {
        guard !records.isEmpty else { return }
        let text = records.map { HistoryFile.line($0) + "\n" }.joined()
        try file.withLock { try $0.write(contentsOf: Data(text.utf8)) }
    }

    func close() throws { try file.withLock { try $0.close() } }
}
