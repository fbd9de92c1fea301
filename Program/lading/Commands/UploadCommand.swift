import ArgumentParser
import Foundation
import LadingTransfers

/// `lading upload FILE --to URL`: uploads a file.
struct UploadCommand: AsyncParsableCommand, DataDirectoryCommand {
    static let configuration = CommandConfiguration(
        commandName: "upload", abstract: "Upload a file.",
        discussion: """
            If the server supports resumable uploads, an interrupted upload resumes where it stopped, automatically or when the command \
            is repeated; otherwise the file is sent in a single PUT request. Ctrl-C pauses; "lading transfers resume ID" resumes.
            """)

    @Argument(help: "The file to upload.")
    var file: String

    @Option(help: ArgumentHelp("The destination URL.", valueName: "url"), transform: WebAddress.init(argument:))
    var to: WebAddress

    @OptionGroup var background: BackgroundOption
    @OptionGroup var options: TransferOptions

    var dataDirectory: URL? { options.directory }

    func run() async throws {
        let source = URL(filePath: file, directoryHint: .notDirectory).standardizedFileURL
        guard FileManager.default.isReadableFile(atPath: source.path(percentEncoded: false)) else {
            throw ProgramFailure(message: "cannot read \(source.path(percentEncoded: false)): check that it exists and is readable")
        }
        var random = SystemRandomNumberGenerator()
        let record = TransferRecord(id: TransferID(using: &random), direction: .upload, remote: to.url, file: source, created: Date())
        try await TransferLauncher.run(record, options, inBackground: background.background)
    }
}
