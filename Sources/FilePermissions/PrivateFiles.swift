package import Foundation

/// Files and directories that only their owner can read, with the permissions 0600 and 0700.
///
/// ```swift
/// try PrivateFiles.createDirectory(reports)
/// try PrivateFiles.write(Data(text.utf8), to: reports.appending(path: "crash.txt"))
/// ```
package enum PrivateFiles {
    /// The permissions of the group and of all other users.
    private static let others: mode_t = 0o077

    /// Creates a directory and its missing parents. The permissions of existing directories do not change.
    ///
    /// New directories are synced before this returns. Otherwise files that are synced later, such as a database, would be lost in a power cut with
    /// their directory.
    package static func createDirectory(_ directory: URL) throws {
        let missing = missingDirectories(of: directory)
        try FileManager.default.createDirectory(
            at: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        for new in missing { sync(new.deletingLastPathComponent()) }
    }

    /// Returns the missing directories of a path.
    private static func missingDirectories(of directory: URL) -> [URL] {
        var missing: [URL] = []
        var next = directory.absoluteURL.standardizedFileURL
        while next.pathComponents.count > 1, access(next.path(percentEncoded: false), F_OK) != 0 {
            missing.append(next)
            next.deleteLastPathComponent()
        }
        return missing
    }

    /// Syncs a directory, where the file system supports it.
    private static func sync(_ directory: URL) {
        let descriptor = open(directory.path(percentEncoded: false), O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        _ = fsync(descriptor)
        close(descriptor)
    }

    /// Creates an empty file. The content and permissions of an existing file do not change.
    ///
    /// - Throws: `POSIXError`.
    package static func createFile(_ file: URL) throws {
        let descriptor = open(file.path(percentEncoded: false), O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw currentError() }
        close(descriptor)
    }

    /// Creates a file or replaces its content. The permissions of an existing file do not change.
    package static func write(_ data: Data, to file: URL) throws {
        try createFile(file)
        try data.write(to: file)
    }

    /// Whether the group or other users have any permission for a file or a directory; false for anything else, such as symbolic links.
    package static func isShared(_ url: URL) -> Bool {
        sharedMode(of: url.path(percentEncoded: false)) != nil
    }

    /// Removes the permissions of the group and of other users from a file or a directory.
    ///
    /// - Throws: `POSIXError`.
    package static func makePrivate(_ url: URL) throws {
        let path = url.path(percentEncoded: false)
        guard let mode = sharedMode(of: path) else { return }
        guard chmod(path, mode & 0o7777 & ~others) == 0 else { throw currentError() }
    }

    /// Makes a directory and all its contents private, unless the directory is private already. The directory is changed last, so that an interrupted
    /// attempt is repeated.
    package static func makeAllPrivate(in directory: URL) throws {
        guard isShared(directory) else { return }
        let path = directory.path(percentEncoded: false)
        for name in try FileManager.default.subpathsOfDirectory(atPath: path) { try makePrivate(directory.appending(path: name)) }
        try makePrivate(directory)
    }

    /// Returns the mode of a file or directory for which others have permissions; nil otherwise.
    private static func sharedMode(of path: String) -> mode_t? {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        let (mode, kind) = (status.st_mode, status.st_mode & S_IFMT)
        return mode & others != 0 && (kind == S_IFDIR || kind == S_IFREG) ? mode : nil
    }

    private static func currentError() -> POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}
