import Foundation

extension URL {
    /// Returns the paths of the files in this directory whose name or content contains a secret; empty without a directory.
    func files(containing secret: String) throws -> [String] {
        guard FileManager.default.fileExists(atPath: path) else { return [] }
        return try FileManager.default.subpathsOfDirectory(atPath: path).filter { name in
            let content = (try? Data(contentsOf: appending(path: name))) ?? Data()
            return name.contains(secret) || content.range(of: Data(secret.utf8)) != nil
        }
    }
}
