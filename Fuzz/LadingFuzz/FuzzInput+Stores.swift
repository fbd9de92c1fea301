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

    /// Parses the file of a recorded exchange, an empty line and the body of the response.
    func parseRecording() {
        let parts = text.components(separatedBy: "\n\n")
        let body = Data(parts.dropFirst().joined(separator: "\n\n").utf8)
        guard let recording = try? Recording(Data(parts[0].utf8), in: Self.folder) else { return }
        let request = recording.exchange.request
        _ = recording.exchange.failure?.error(for: Self.address, recordedAs: request.url)
        var index = RecordingIndex([recording], secrets: .standard)
        _ = index.next(
            for: RecordingIndex.RequestKey(method: request.method, url: request.url), body: request.body?.sha256,
            headers: recording.requestHeaders)
        let file = Self.folder.appending(path: RecordedExchange.responseBodyName)
        guard (try? body.write(to: file)) != nil, let responseBody = try? recording.responseBody() else { return }
        var count = 0
        while let chunk = try? responseBody.next() { count += chunk.count }
        precondition(count <= body.count, "no more is read than was written")
    }

    /// Parses the type of a database event from the first line, and its data, or the body of another response of Firebase, from the rest.
    func parseDatabaseEvent() {
        let data = lines.dropFirst().joined(separator: "\n")
        if case .event(let event)? = try? DatabaseEvent.Signal(ServerSentEvent(type: lines[0], data: data)) {
            var value = JSONValue.null
            value.apply(event)
            value.apply(event)
        }
        parseFirebaseResponse(data)
    }

    private static let firebaseStorage = try? FirebaseProject.emulator(id: "fuzz").storage

    private func parseFirebaseResponse(_ text: String) {
        _ = FirebaseErrorBody(BackendResponse(url: Self.address, status: .badRequest, body: Array(text.utf8)))
        let (decoder, data) = (JSONDecoder(), Data(text.utf8))
        _ = try? decoder.decode(StorageMetadata.self, from: data)
        _ = try? decoder.decode(FirebaseAuthentication.SignInResponse.self, from: data)
        _ = try? decoder.decode(FirebaseAuthentication.RefreshResponse.self, from: data)
        let list = try? decoder.decode(FirebaseStorage.ListResponse.self, from: data)
        for item in list?.items ?? [] { _ = Self.firebaseStorage?.url("v0/b/fuzz/o/\(item.name)") }
    }

    /// Checks that a secret in a URL is redacted after any text.
    func parseSecrets() {
        let secret = "TheSecretOfThisTest"
        guard !text.contains(secret) else { return }
        let message = text + "https://user:\(secret)@example.org/?token=\(secret)"
        precondition(!SecretRedaction.standard.redacted(message).contains(secret), "no text keeps a secret from being replaced")
        _ = Redaction(names: ["somebody"]).redacted(text)
    }
}
