import Foundation
import LadingHTTP
import LadingOperations
import MarsPhotos

/// A download of photos into a folder, with a progress bar if standard error is a terminal.
///
/// Existing files are not downloaded again.
struct PhotoWriter: Sendable {
    /// The maximum number of concurrent downloads: each photo is in memory until it is written.
    private static let concurrencyLimit = 16

    let source: any PhotoSource
    let queue: BackendQueue
    let folder: PhotoFolder

    /// Saves all photos and returns a line for each, including failed ones.
    ///
    /// - Throws: `ProgramFailure` when nothing can be written, or `CancellationError`.
    func save(_ photos: [MarsPhoto], with bar: inout ProgressBar) async throws -> [PhotoLine] {
        try await bar.concurrentMap(
            photos, limit: Self.concurrencyLimit, hasFailed: { (line: PhotoLine) in line.error != nil },
            work: { photo in try await line(of: photo) })
    }

    private func line(of photo: MarsPhoto) async throws -> PhotoLine {
        if let file = folder.file(of: photo) { return PhotoLine(photo: photo, file: file) }
        let image: MarsImage
        do {
            image = try await queue.value(of: source.image(of: photo, size: .full), priority: .visible)
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            return PhotoLine(photo: photo, error: SecretRedaction.standard.redacted("\(OperationError.rootCause(of: error))"))
        }
        return PhotoLine(photo: photo, file: try folder.save(image, of: photo))
    }
}
