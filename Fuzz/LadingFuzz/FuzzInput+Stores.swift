import Foundation
import HTTPTypes

@testable import CrashReports
@testable import LadingHTTP

extension FuzzInput {
    /// The folder of the bodies of recordings while they are read.
    private static let folder: URL = {
        let folder = FileManager.default.temporaryDirectory.appending(path: "lading-fuzz", directoryHint: .isDirectory)
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }()

    /// The file of a recorded exchange, an empty line, and the body of the reply.
    func parseRecording() {
        let parts = text.components(separatedBy: "\n\n")
        let body = Data(parts.dropFirst().joined(separator: "\n\n").utf8)
        guard let recording = try? Recording(Data(parts[0].utf8), in: Self.folder) else { return }
        let request = recording.exchange.request
        _ = recording.exchange.failure?.error(asking: Self.address, recordedAs: request.url)
        var index = RecordingIndex([recording], secrets: .usual)
        _ = index.next(
            for: RecordingIndex.Subject(method: request.method, url: request.url), body: request.body?.sha256,
            headers: recording.requestHeaders)
        let file = Self.folder.appending(path: RecordedExchange.replyBodyName)
        guard (try? body.write(to: file)) != nil, let reply = try? recording.replyBody() else { return }
        var count = 0
        while let chunk = try? reply.next() { count += chunk.count }
        precondition(count <= body.count, "no more is read than was written")
    }

    /// The first line is the type of an event of a database, and the rest is its data.
    func parseDatabaseEvent() {
        let data = lines.dropFirst().joined(separator: "\n")
        if case .event(let event)? = try? DatabaseEvent.Signal(ServerSentEvent(type: lines[0], data: data)) {
            var value = JSONValue.null
            value.apply(event)
            value.apply(event)
        }
        _ = FirebaseProblem(BackendReply(url: Self.address, status: .badRequest, body: Array(data.utf8)))
        _ = try? JSONDecoder().decode(StorageMetadata.self, from: Data(data.utf8))
    }

    /// A text that stands before a URL with a secret.
    func parseSecrets() {
        let secret = "TheSecretOfThisTest"
        guard !text.contains(secret) else { return }
        let message = text + "https://user:\(secret)@example.org/?token=\(secret)"
        precondition(!SecretRedaction.usual.redacted(message).contains(secret), "no text keeps a secret from being replaced")
        _ = Redaction(names: ["somebody"]).redacted(text)
    }
}
