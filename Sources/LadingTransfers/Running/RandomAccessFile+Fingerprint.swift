import FileAccess

extension RandomAccessFile {
    package func fingerprint() throws -> FileFingerprint {
        let (size, modified) = try sizeAndModificationTime()
        return FileFingerprint(size: size, modified: modified)
    }
}
