import ArgumentParser
import Foundation
import LadingHTTP

/// An argument that may have a key or a password, which then is in a file.
///
/// Other users of the machine can read the arguments of processes.
enum ConfidentialArgument {
    /// Returns an argument, or after `@` the text in the file of this name, without white space at both ends.
    ///
    /// - Throws: `ValidationError` for an argument with a secret, and for a file that is empty or cannot be read.
    static func text(of argument: String) throws -> String {
        guard argument.hasPrefix("@") else {
            guard argument.redactingSecrets == argument else {
                throw ValidationError(
                    "The list of processes would show its key or password to other users: write it into a file, and @FILE in its place.")
            }
            return argument
        }
        guard let text = try? String(contentsOf: URL(filePath: String(argument.dropFirst())), encoding: .utf8) else {
            throw ValidationError("The file after @ cannot be read.")
        }
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
        // A program that restarts itself parses its arguments twice.
        guard !trimmed.isEmpty else { throw ValidationError("The file after @ is empty; a pipe cannot be used.") }
        return trimmed
    }
}
