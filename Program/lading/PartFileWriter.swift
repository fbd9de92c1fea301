import Foundation

/// Writes files that get their names when they are complete, and that only their owner can read.
enum PartFileWriter {
    /// Writes a file, or replaces it. Its part file, beside it with the extension `part`, is removed if that fails.
    ///
    /// - Parameters:
    ///   - creationFailure: The message of the failure if the part file cannot be created.
    ///   - content: Writes the content. The file is closed afterwards.
    /// - Throws: `ProgramFailure` if the file cannot be created or replaced, and the errors of the content.
    static func write<Outcome>(
        _ target: URL, creationFailure: String, content: (FileHandle) async throws -> Outcome
    ) async throws -> Outcome {
        let part = target.appendingPathExtension("part")
        guard FileManager.default.createFile(atPath: part.path, contents: nil, attributes: [.posixPermissions: 0o600]) else {
            throw ProgramFailure(message: creationFailure)
        }
        do {
            let file = try FileHandle(forWritingTo: part)
            let outcome = try await content(file)
            try file.close()
            guard rename(part.path, target.path) == 0 else {
                throw ProgramFailure(message: "cannot write \(target.path): \(String(cString: strerror(errno)))")
            }
            return outcome
        } catch {
            try? FileManager.default.removeItem(at: part)
            throw error
        }
    }
}
