import Foundation
import MarsPhotos

/// A directory that photos are saved in, each whole or not at all.
struct PhotoFolder: Sendable {
    /// The most characters that the name of a file takes from the key of a photo.
    private static let keyLimit = 100

    private static let cameraLimit = 40

    let directory: URL

    /// Makes the directory where there is none.
    ///
    /// - Throws: `ProgramFailure`.
    init(_ directory: URL) throws {
        self.directory = directory
        do {
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        } catch {
            throw ProgramFailure(message: "cannot make the directory \(directory.path): \(error.localizedDescription)")
        }
    }

    /// The file of a photo that was saved before; nil when there is none.
    func file(of photo: MarsPhoto) -> URL? {
        let name = Self.name(of: photo)
        return MarsImage.Format.allCases.lazy.map { directory.appending(path: "\(name).\($0.fileExtension)", directoryHint: .notDirectory) }
            .first { FileManager.default.fileExists(atPath: $0.path) }
    }

    /// Writes beside the place and then moves, so that nobody finds half a file, however the program ends.
    ///
    /// - Throws: `ProgramFailure`.
    func save(_ image: MarsImage, of photo: MarsPhoto) throws -> URL {
        let file = directory.appending(path: "\(Self.name(of: photo)).\(image.format.fileExtension)", directoryHint: .notDirectory)
        do {
            try Data(image.bytes).write(to: file, options: .atomic)
        } catch {
            throw ProgramFailure(message: "cannot write \(file.path): \(error.localizedDescription)")
        }
        return file
    }

    /// `curiosity-1000-FHAZ-102693`: of letters, digits, hyphens and underscores, whatever a server calls its photos. What had to be replaced is told apart by
    /// a number.
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

    /// FNV-1a.
    private static func fingerprint(of text: String) -> UInt64 {
        text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
