import FilePermissions
import Foundation
import LadingHTTP

/// The checksum of a database file, in a file beside it from a clean close to the next open.
///
/// SQLite finds damage in the structure of a file only: a bit that changed inside of a value is a value to it. A checksum that is there belongs to the file
/// as it is. One that is missing means that the file is in use, or was when the program was killed.
struct ClosedFileSum {
    private static let chunk = 1 << 20

    private let file: URL
    private let sumFile: URL

    init(of file: URL) {
        self.file = file
        sumFile = URL(filePath: file.path(percentEncoded: false) + "-sum", directoryHint: .notDirectory)
    }

    /// Removes the checksum before the file changes, also from the disk: after a power cut an old one would make a whole file look damaged.
    func remove() {
        guard unlink(sumFile.path(percentEncoded: false)) == 0 else { return }
        try? FileBytes.syncFolder(of: sumFile)
    }

    /// Writes the checksum of a file that was closed; none when its log has changes that the file lacks.
    func write() throws {
        guard !hasLog else { return }
        let draft = sumFile.appendingPathExtension("part")
        try PrivateFiles.write(Data(try sum().utf8), to: draft)
        guard rename(draft.path(percentEncoded: false), sumFile.path(percentEncoded: false)) == 0 else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
    }

    /// Whether the file is as it was when it was closed; nil when there is no checksum.
    func isValid() throws -> Bool? {
        guard let written = try? String(contentsOf: sumFile, encoding: .utf8), !hasLog else { return nil }
        return try written == sum()
    }

    private var hasLog: Bool {
        var status = stat()
        return stat(file.path(percentEncoded: false) + "-wal", &status) == 0 && status.st_size > 0
    }

    private func sum() throws -> String {
        let bytes = try FileBytes.reading(file)
        let length = try bytes.length
        var sum: UInt64 = 0
        for start in stride(from: 0, to: length, by: Self.chunk) {
            sum = Checksum.of(try bytes.read(start..<min(start + Self.chunk, length)), seed: sum)
        }
        return "\(length) \(String(sum, radix: 16))\n"
    }
}
