import Foundation

/// Writes files that get their names when they are complete, and that only their owner can read.
enum PartFileWriter {
    /// Writes a file, or replaces it. Its part file, beside it with the extension `part`, is removed if that fails.
    ///
    /// - Parameters:
    ///   - creationFailure: The message of the failure if the part file cannot be created.
    ///   - content: Writes the content. The file is closed afterwards.
    /// - Throws: `ProgramFailure` if the file cannot be written or replaced, and the errors of the content.
    static func write<Outcome>(
        _ target: URL, creationFailure: String, content: (PartFile) async throws -> Outcome
    ) async throws -> Outcome {
        let file = try PartFile(of: target, creationFailure: creationFailure)
        do {
            let outcome = try await content(file)
            try file.complete()
            return outcome
        } catch {
            file.remove()
            throw error
        }
    }
}
