import FileAccess
import Foundation
import HTTPTypes
import LadingHTTP
import LadingOperations
import LadingTransfers

/// A download of one file, in a part file next to its target until it is complete.
struct StorageDownload: Sendable {
    let reference: StorageReference
    let partFile: PartFile
    let replacesTarget: Bool
    let progress: OperationProgress?
    private let files = FileThreadPool()

    init(reference: StorageReference, partFile: PartFile, replacesTarget: Bool, progress: OperationProgress?) {
        self.reference = reference
        self.partFile = partFile
        self.replacesTarget = replacesTarget
        self.progress = progress
    }

    func run() async throws {
        try partFile.checkTarget(replacing: replacesTarget)
        let file = try partFile.open()
        defer { file.unlock() }
        do {
            let length = try await fetch(into: file)
            try await files.run { [partFile, replacesTarget] in
                do {
                    try file.sync()
                    guard file.isFile(at: partFile.url) else { throw TransferError.partFileInUse(partFile.target) }
                    let found = try file.length
                    guard found == length else { throw TransferError.lengthMismatch(partFile.target, expected: length, found: found) }
                    try RandomAccessFile.publish(partFile.url, as: partFile.target, replacing: replacesTarget)
                } catch {
                    throw PartFile.transferError(error, target: partFile.target)
                }
            }
        } catch {
            file.unlock()
            partFile.remove()
            throw error
        }
    }

    /// Writes the content and returns its length, in bytes.
    private func fetch(into file: RandomAccessFile) async throws -> Int {
        var message = RequestMessage(url: reference.contentURL, headers: reference.storage.project.storage.headers)
        message.headers[.acceptEncoding] = "identity"
        // A stored response may be outdated.
        return try await reference.storage.client.withoutCache().exchange(message) { head, body, url in
            guard head.status == .ok else { throw try await failure(head, body, url) }
            let total = head.bodyLength(for: message.method)
            var completed = 0
            for try await chunk in body {
                do { try file.write(chunk, at: completed) } catch { throw PartFile.transferError(error, target: partFile.target) }
                completed += chunk.count
                progress?.report(completed: completed, total: total)
            }
            if let total, completed != total {
                throw TransferError.inconsistentResponse(url, "received \(completed) of \(total) bytes")
            }
            return completed
        }
    }

    private func failure(_ head: ResponseHead, _ body: ResponseBody, _ url: URL) async throws -> any Error {
        FirebaseStorage.failure(try await BackendResponse(url: url, head, body, limit: StorageUpload.bodyLimit), of: reference.name)
    }
}
