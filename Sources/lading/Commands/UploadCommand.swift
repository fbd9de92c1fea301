import ArgumentParser
import Foundation
import LadingHTTP

/// `lading upload FILE --to URL`: uploads a file.
struct UploadCommand: AsyncParsableCommand, DataDirectoryCommand {
    static let configuration = CommandConfiguration(
        commandName: "upload", abstract: "Upload a file.",
        discussion: """
            Where the server takes resumable uploads, what breaks off goes on where it stopped, by itself or when the same command is given again; \
            elsewhere the file is sent with PUT, in one piece. Ctrl-C pauses; "lading transfers resume ID" goes on.
            """)

    @Argument(help: "The file to send.")
    var file: String

    @Option(help: ArgumentHelp("The address to send it to.", valueName: "url"))
    var to: WebAddress

    @OptionGroup var background: BackgroundOption
    @OptionGroup var options: TransferOptions

    var dataDirectory: URL? { options.directory }

    func run() async throws {
        let source = URL(filePath: file, directoryHint: .notDirectory).standardizedFileURL
        guard FileManager.default.isReadableFile(atPath: source.path(percentEncoded: false)) else {
            throw ProgramFailure(message: "cannot read \(source.path(percentEncoded: false))")
        }
        var random = SystemRandomNumberGenerator()
        let record = TransferRecord(id: TransferID(using: &random), direction: .upload, remote: to.url, file: source, created: Date())
        try await TransferLauncher.run(record, options, inBackground: background.background)
    }
}
