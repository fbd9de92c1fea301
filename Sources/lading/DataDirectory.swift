import FilePermissions
import Foundation

/// A command that keeps data in a directory.
protocol DataKeeping {
    /// The directory of the data; nil when none is kept.
    var dataDirectory: URL? { get }
}

/// The directory in which commands keep their data, readable by its owner alone.
///
/// What is new in it is created so by its stores. What an earlier release or somebody else created with wider permissions loses them at the start.
struct DataDirectory {
    /// The folders of the stores.
    private static let folders = ["crashes", "deliveries", "feeds", "pictures", "proxy", "proxy-shared", "uploads"]
    /// The stores without a folder, and what lies beside them.
    private static let files = ["origin.lock", "origin.sqlite", "transfers.sqlite"].flatMap { name in
        ["", "-wal", "-shm", ".lock"].map { name + $0 }
    }

    private let directory: URL

    init(_ directory: URL) {
        self.directory = directory.resolvingSymlinksInPath()
    }

    /// Removes the permissions of other users, and reports on standard error that they had some.
    func makePrivate() {
        let path = directory.path(percentEncoded: false)
        let isShared = PrivateFiles.isShared(directory)
        do {
            for name in Self.folders { try PrivateFiles.makeAllPrivate(in: directory.appending(path: name)) }
            for name in Self.files { try PrivateFiles.makePrivate(directory.appending(path: name)) }
            guard isShared else { return }
            guard !isOfOthers else { return Self.report("other users may open \(path): choose a directory of your own with --data") }
            try PrivateFiles.makePrivate(directory)
            Self.report("other users could open \(path); from now on only its owner can")
        } catch {
            Self.report("other users may open \(path), and that could not be changed (\(error.localizedDescription))")
        }
    }

    /// Whether it has other uses than to keep data: the root, a home, or a directory for the files of several users, such as that for temporary ones.
    private var isOfOthers: Bool {
        let path = directory.path(percentEncoded: false)
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_ISVTX == 0 else { return true }
        let home = FileManager.default.homeDirectoryForCurrentUser.resolvingSymlinksInPath()
        return directory.pathComponents.count < 2 || directory.pathComponents == home.pathComponents
    }

    private static func report(_ text: String) { Terminal.error.write("lading: \(text.oneLine)\n") }
}
