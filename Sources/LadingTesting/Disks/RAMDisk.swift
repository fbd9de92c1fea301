package import Foundation

#if canImport(Glibc)
    import Glibc
#endif

/// A small file system in memory, mounted on a new folder, for tests of full disks. Mounting requires Linux with Glibc, and root.
///
/// ```swift
/// @Test(.enabled(if: RAMDisk.isSupported, "only root may mount a disk")) func …
/// ```
package struct RAMDisk: Sendable {
    private static let fillingName = "filling"
    /// The page size of the file system, in bytes.
    private static let page = 4_096

    /// Whether this process may mount a RAM disk.
    package static var isSupported: Bool { (try? RAMDisk(mebibytes: 1))?.unmount() != nil }

    package let folder: URL

    /// Mounts a new disk.
    ///
    /// - Throws: `POSIXError` when the process may not mount it, or an error of Foundation.
    package init(mebibytes: Int) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "disk-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        do {
            try mount(mebibytes)
        } catch {
            try? FileManager.default.removeItem(at: folder)
            throw error
        }
    }

    package func grow(toMebibytes mebibytes: Int) throws { try mount(mebibytes, isRemount: true) }

    /// Writes a file that fills the remaining space.
    package func fill() throws {
        let descriptor = open(folder.appending(path: Self.fillingName).path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        defer { close(descriptor) }
        let bytes = [UInt8](repeating: 0, count: Self.page)
        while write(descriptor, bytes, bytes.count) > 0 {}
        guard errno == ENOSPC else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    }

    /// Removes the file that `fill()` has written.
    package func freeSpace() throws { try FileManager.default.removeItem(at: folder.appending(path: Self.fillingName)) }

    package func unmount() {
        #if canImport(Glibc)
            umount2(folder.path, Int32(MNT_DETACH))
        #endif
        try? FileManager.default.removeItem(at: folder)
    }

    private func mount(_ mebibytes: Int, isRemount: Bool = false) throws {
        #if canImport(Glibc)
            let outcome = Glibc.mount("tmpfs", folder.path, "tmpfs", isRemount ? UInt(MS_REMOUNT) : 0, "size=\(mebibytes)m")
            guard outcome == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EPERM) }
        #else
            throw CocoaError(.featureUnsupported)
        #endif
    }
}
