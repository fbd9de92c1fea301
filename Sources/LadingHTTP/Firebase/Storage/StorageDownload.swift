import Foundation
import HTTPTypes
import LadingOperations

/// Brings the content of one file, beside its target until it is whole.
struct StorageDownload: Sendable {
    let reference: StorageReference
    let part: PartFile
    let replaces: Bool
    let progress: OperationProgress?
    private let files = FileThread()

    init(reference: StorageReference, part: PartFile, replaces: Bool, progress: OperationProgress?) {
        self.reference = reference
        self.part = part
        self.replaces = replaces
        self.progress = progress
    }

    func run() async throws {
        try part.checkTarget(replacing: replaces)
        let file = try part.open()
        defer { file.unlock() }
        do {
            let length = try await fetch(into: file)
            try await files.run { [part, replaces] in
                do {
                    try file.sync()
                    guard file.isFile(at: part.url) else { throw TransferError.partFileInUse(part.target) }
                    let found = try file.length
                    guard found == length else { throw TransferError.lengthMismatch(part.target, expected: length, found: found) }
                    try FileBytes.publish(part.url, as: part.target, replacing: replaces)
                } catch {
                    throw PartFile.error(error, part.target)
                }
            }
        } catch {
            file.unlock()
            part.remove()
            throw error
        }
    }

    /// Writes the content, and returns its length.
    private func fetch(into file: FileBytes) async throws -> Int {
        var message = RequestMessage(url: reference.contentURL, headers: reference.storage.project.storage.headers)
        message.headers[.acceptEncoding] = "identity"
        guard let tokens = reference.storage.tokens, let token = try await tokens.token(for: message) else {
            return try await receive(message, into: file)
        }
        do {
            return try await receive(tokens.bearing(token, message), into: file)
        } catch FirebaseStorage.Failure.refused(401, let reason) {
            guard let other = try await tokens.token(for: message, insteadOf: token) else {
                throw FirebaseStorage.Failure.refused(status: 401, reason: reason)
            }
            return try await receive(tokens.bearing(other, message), into: file)
        }
    }

    private func receive(_ message: RequestMessage, into file: FileBytes) async throws -> Int {
        try await reference.storage.streamClient.exchange(message) { head, body, url in
            guard head.status == .ok else { throw try await refusal(head, body, url) }
            let total = head.bodyLength(asked: message.method)
            var completed = 0
            for try await chunk in body {
                do { try file.write(chunk, at: completed) } catch { throw PartFile.error(error, part.target) }
                completed += chunk.count
                progress?.report(completed: completed, total: total)
            }
            if let total, completed != total { throw TransferError.misfit(url, "\(completed) bytes where \(total) were announced") }
            return completed
        }
    }

    private func refusal(_ head: ReplyHead, _ body: ReplyBody, _ url: URL) async throws -> any Error {
        FirebaseStorage.failure(try await BackendReply(url: url, head, body, limit: StorageUpload.bodyLimit), of: reference.name)
    }
}
