package import Foundation
import TemporaryFolders

/// A temporary folder with a database.
package final class StoreFolder: Sendable {
    private let folder: TemporaryFolder
    private let name: String

    /// - Parameter name: The name of the database in the folder.
    package init(_ name: String = "records") throws {
        self.name = name
        folder = try TemporaryFolder(named: name)
    }

    package var url: URL { folder.url }
    package var file: URL { url.appending(path: "\(name).sqlite") }
    package var log: URL { url.appending(path: "\(name).sqlite-wal") }
    /// The size of the log in bytes; nil if there is none.
    package var logSize: Int? { try? log.resourceValues(forKeys: [.fileSizeKey]).fileSize }
    package var names: Set<String> { Set((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []) }

    /// Flips a bit of the database, in the first character of a text that it contains.
    package func flipBit(of text: String) throws {
        var bytes = try Data(contentsOf: file)
        guard let place = bytes.range(of: Data(text.utf8))?.lowerBound else { throw CocoaError(.fileReadCorruptFile) }
        bytes[place] ^= 1
        try bytes.write(to: file)
    }
}
