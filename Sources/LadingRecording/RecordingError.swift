import ErrorDescriptions
public import Foundation
import LadingHTTP

/// An error of reading or writing a recording.
public enum RecordingError: Error {
    /// No equal request was recorded; the URL is without its secrets.
    case noRecording(method: String, url: String)
    /// The directory, or a file in it, could not be written.
    case writeFailed(URL, cause: any Error)
    /// The directory, or a file in it, could not be read.
    case readFailed(URL, cause: any Error)
    /// The file is not as it was written.
    case corrupt(URL, reason: String)
    /// The recording has a format of a later version.
    case unknownFormat(URL, Int)
    /// The receiver of the recorded response did not read any further.
    case truncated(url: String)
    /// The directory has more recordings than allowed.
    case tooMany(URL, limit: Int)
}

extension RecordingError: LocalizedError, CustomStringConvertible {
    public var errorDescription: String? { description }

    public var description: String {
        switch self {
        case .noRecording(let method, let url): "no recorded response for \(method) \(url.redactingSecrets): record it first"
        case .writeFailed(let file, let cause): "cannot write the recording \(file.path)".appending(cause: cause).redactingSecrets
        case .readFailed(let file, let cause): "cannot read the recording \(file.path)".appending(cause: cause).redactingSecrets
        case .corrupt(let file, let reason): "the recording \(file.path) is damaged (\(reason)): record again"
        case .unknownFormat(let file, let format): "the recording \(file.path) has the newer format \(format): update this program"
        case .truncated(let url):
            "the recorded response of \(url.redactingSecrets) is incomplete, because its client stopped reading: record again"
        case .tooMany(let directory, let limit): "\(directory.path) has more than \(limit) recordings: choose another directory"
        }
    }
}
