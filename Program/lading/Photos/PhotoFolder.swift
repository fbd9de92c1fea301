import Foundation
import MarsPhotos

/// A directory of saved photos; each is written atomically.
struct PhotoFolder: Sendable {
    /// The maximum number of characters of a photo's key in a file name.
    private static let keyLimit = 100

    /// The maximum length of a camera's name in a file name, in characters.
    private static let cameraLimit = 40

    let directory: URL

    /// Opens the directory, which is created when it is missing.
    ///
    /// - Throws: `ProgramFailure`.
    init(_ directory: URL) throws {
        self.directory = directory
        do {
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        } catch {
            throw ProgramFailure(message: "cannot create the directory \(directory.path): \(Self.reason(error))")
        }
    }

    /// Returns the file of a photo that was saved before; nil when there is none.
    func file(of photo: MarsPhoto) -> URL? {
        let name = Self.name(of: photo)
        return MarsImage.Format.allCases.lazy.map { directory.appending(path: "\(name).\($0.fileExtension)", directoryHint: .notDirectory) }
            .first { FileManager.default.fileExists(atPath: $0.path) }
    }

    /// Saves a photo atomically, so that no partial file exists however the program ends.
    ///
    /// - Throws: `ProgramFailure`.
    func save(_ image: MarsImage, of photo: MarsPhoto) throws -> URL {
        let file = directory.appending(path: "\(Self.name(of: photo)).\(image.format.fileExtension)", directoryHint: .notDirectory)
        do {
            try Data(image.bytes).write(to: file, options: .atomic)
        } catch {
            throw ProgramFailure(message: "cannot write \(file.path): \(Self.reason(error))")
        }
        return file
    }

    private static func reason(_ error: any Error) -> String { ProgramFailure.systemReason(of: error) ?? error.localizedDescription }

    /// Returns a file name such as `curiosity-1000-FHAZ-102693`, with letters, digits, hyphens and underscores only.
    ///
    /// A hash distinguishes keys with replaced or truncated characters.
    static func name(of photo: MarsPhoto) -> String {
        let parts = [photo.rover.name, photo.sol.description, String(sanitized(photo.camera.name).prefix(cameraLimit)), key(photo.id.key)]
        return parts.joined(separator: "-")
    }

    private static func key(_ text: String) -> String {
        let shortened = String(sanitized(text).prefix(keyLimit))
        return shortened == text ? shortened : "\(shortened)-\(String(fingerprint(of: text), radix: 36))"
    }

    private static func sanitized(_ text: String) -> String {
        String(text.unicodeScalars.map { isSafe($0) ? Character($0) : "_" })
    }

    private static func isSafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "-", "_": true
        default: false
        }
    }

    /// Returns a hash (FNV-1a).
    private static func fingerprint(of text: String) -> UInt64 {
        text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
