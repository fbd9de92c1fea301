import FilePermissions
import Foundation

/// A folder of body files, which are named by their numbers.
struct BodyFiles: Sendable {
    let folder: URL

    func url(of number: Int64) -> URL {
        folder.appending(path: String(number, radix: 16), directoryHint: .notDirectory)
    }

    func create() throws {
        try PrivateFiles.createDirectory(folder)
    }

    func remove(_ numbers: [Int64]) {
        for number in numbers { _ = unlink(url(of: number).path) }
    }

    /// Removes all other files and returns the numbers of those in `kept` that exist.
    func removeAll(except numbers: Set<Int64> = []) throws -> Set<Int64> {
        var found: Set<Int64> = []
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false)) {
            if let number = Int64(name, radix: 16), numbers.contains(number), url(of: number).lastPathComponent == name {
                found.insert(number)
            } else {
                try? FileManager.default.removeItem(at: folder.appending(path: name))
            }
        }
        return found
    }
}
