import DiskSpace
import Foundation

/// A file that gets its name when it is complete, and that only its owner can read.
///
/// Until then it is beside its place, with the extension `part`. A symbolic link stays, and the file behind it is replaced. A device or a
/// pipe cannot be replaced: it is opened and written as it is.
struct PartFile {
    private let handle: FileHandle
    private let target: URL
    /// The file until it is complete; nil for a target that cannot be replaced.
    private let part: URL?

    /// Creates the part file, or opens a device or a pipe. The call waits until a pipe has a reader.
    ///
    /// - Parameter creationFailure: The message of the failure if the part file cannot be created, other than on a full disk.
    /// - Throws: `ProgramFailure`.
    init(of target: URL, creationFailure: String) throws {
        let target = target.linkTarget
        self.target = target
        part = target.isReplaceable ? target.appendingPathExtension("part") : nil
        do {
            handle = try part.map(Self.create) ?? Self.openExisting(target)
        } catch {
            guard part == nil || FullDisk.isCause(of: error) else { throw ProgramFailure(message: creationFailure) }
            throw ProgramFailure.cannotWrite(target, error)
        }
    }

    /// Creates a file in place of that of an interrupted program.
    private static func create(_ part: URL) throws -> FileHandle {
        unlink(part.path(percentEncoded: false))
        return try openFile(part, O_CREAT | O_EXCL)
    }

    /// Opens what is there, as the redirection of a shell does. A link that leads to nothing gets its file.
    private static func openExisting(_ target: URL) throws -> FileHandle { try openFile(target, O_CREAT | O_TRUNC) }

    private static func openFile(_ file: URL, _ flags: Int32) throws -> FileHandle {
        let descriptor = open(file.path(percentEncoded: false), O_WRONLY | O_CLOEXEC | flags, 0o600)
        guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    /// Appends bytes.
    ///
    /// - Throws: `ProgramFailure`.
    func write(_ bytes: [UInt8]) throws {
        do { try handle.write(contentsOf: Data(bytes)) } catch { throw ProgramFailure.cannotWrite(target, error) }
    }

    /// Closes the file and gives it its name, in place of an earlier file.
    ///
    /// - Throws: `ProgramFailure`.
    func complete() throws {
        do {
            try handle.close()
            guard let part, rename(part.path(percentEncoded: false), target.path(percentEncoded: false)) != 0 else { return }
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        } catch {
            throw ProgramFailure.cannotWrite(target, error)
        }
    }

    /// Removes a file that is not complete.
    func remove() {
        if let part { unlink(part.path(percentEncoded: false)) }
    }
}

extension URL {
    /// The file that a symbolic link leads to; the URL itself if it is no link, or one that leads to no file with a name.
    var linkTarget: URL {
        guard fileType == .typeSymbolicLink, let resolved = realpath(path(percentEncoded: false), nil) else { return self }
        defer { free(resolved) }
        return URL(filePath: String(cString: resolved), directoryHint: .notDirectory)
    }

    /// Whether a complete file can take this place: there is none, or a regular file.
    fileprivate var isReplaceable: Bool {
        !hasDirectoryPath && [nil, .typeRegular].contains(fileType)
    }

    /// The type of the file, which may be a symbolic link itself; nil if there is none.
    private var fileType: FileAttributeType? {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path(percentEncoded: false))
        return attributes?[.type] as? FileAttributeType
    }
}
