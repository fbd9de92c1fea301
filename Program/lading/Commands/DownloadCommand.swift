import ArgumentParser
import Foundation
import LadingTransfers

/// `lading download URL`: downloads a file.
struct DownloadCommand: AsyncParsableCommand, DataDirectoryCommand {
    static let configuration = CommandConfiguration(
        commandName: "download", abstract: "Download a file.",
        discussion: """
            An interrupted download resumes where it stopped, automatically or when the command is repeated. Ctrl-C pauses it; \
            "lading transfers resume ID" resumes it. Partial data is stored next to the file. A file that is already downloaded and \
            unchanged is not downloaded again; the exit code is then 0.
            """)

    @Argument(help: "The URL of the file.", transform: WebAddress.init(argument:))
    var url: WebAddress

    @Option(
        help: ArgumentHelp(
            "The destination file or folder; with a slash at its end, a folder that exists (default: the name in the URL, here).",
            valueName: "file"))
    var to: String?

    @Flag(help: "Replace an existing file, or the one behind a link.")
    var replace = false

    @OptionGroup var background: BackgroundOption
    @OptionGroup var options: TransferOptions

    var dataDirectory: URL? { options.directory }

    func run() async throws {
        let target = try target()
        // The file behind a link is replaced, not the link.
        let file = replace ? target.linkTarget : target
        if !replace, FileManager.default.fileExists(atPath: target.path(percentEncoded: false)) {
            return try await TransferLauncher.reportDownloaded(url.url, at: target, options)
        }
        var random = SystemRandomNumberGenerator()
        let record = TransferRecord(
            id: TransferID(using: &random), direction: .download, remote: url.url, file: file, replacesTarget: replace, created: Date())
        try await TransferLauncher.run(record, options, inBackground: background.background)
    }

    private func target() throws -> URL {
        let name = url.url.downloadName
        let given = to.map { URL(filePath: $0) } ?? URL(filePath: FileManager.default.currentDirectoryPath, directoryHint: .isDirectory)
        var isFolder: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: given.path(percentEncoded: false), isDirectory: &isFolder)
        guard exists, isFolder.boolValue else {
            guard !given.hasDirectoryPath else { throw ProgramFailure(message: "no folder \(given.path): create it, or choose another") }
            return given.standardizedFileURL
        }
        // The last part of the root is a slash.
        guard url.url.lastPathComponent != "/", !["", ".", ".."].contains(name) else {
            throw ValidationError("The URL contains no file name: set one with --to.")
        }
        return given.appending(path: name, directoryHint: .notDirectory).standardizedFileURL
    }
}

extension URL {
    /// The name of a downloaded file: the last part of the path in one line, without encoded slashes. An accent makes a slash another character, so they
    /// are found by scalars.
    var downloadName: String {
        String(String.UnicodeScalarView(lastPathComponent.unicodeScalars.map { $0 == "/" ? "_" : $0 })).oneLine
    }
}
