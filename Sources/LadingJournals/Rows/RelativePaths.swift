import Foundation

/// The paths of files in a journal: relative to a base folder for files below it, otherwise absolute.
struct RelativePaths: Sendable {
    /// The base folder; nil if all paths are absolute.
    private let base: URL?
    /// The path of the base folder and the same without symbolic links, such as `/var` and `/private/var` on iOS; both end with a slash.
    private let prefixes: [String]

    init(to base: URL?) {
        self.base = base
        let path = base?.path(percentEncoded: false)
        prefixes = [path, path.flatMap(Self.resolved)].compactMap(\.self).map { $0.utf8.last == UInt8(ascii: "/") ? $0 : $0 + "/" }
    }

    /// Returns the path under which a file is stored.
    func path(of file: URL) -> String {
        let path = file.path(percentEncoded: false)
        guard let prefix = prefixes.first(where: { path.utf8.starts(with: $0.utf8) }) else { return path }
        let rest = path.utf8.dropFirst(prefix.utf8.count)
        let leavesBase = rest.split(separator: UInt8(ascii: "/")).contains { $0.elementsEqual("..".utf8) }
        return rest.isEmpty || leavesBase ? path : String(decoding: rest, as: UTF8.self)
    }

    /// Returns the file with a stored path; nil for a relative path without a base folder.
    func file(at path: String) -> URL? {
        if path.utf8.first == UInt8(ascii: "/") { return URL(filePath: path, directoryHint: .notDirectory) }
        return base?.appending(path: path, directoryHint: .notDirectory)
    }

    /// Returns the path without symbolic links; nil if there is no such file. `resolvingSymlinksInPath` removes `/private` instead.
    private static func resolved(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
