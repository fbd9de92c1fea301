package import FileAccess
import LadingHTTP

/// The bytes of an upload's source, verified to belong to one version of the file.
package struct SourceChunks: AsyncSequence, Sendable {
    package let file: RandomAccessFile
    /// The fingerprint of the source when the upload started.
    package let fingerprint: FileFingerprint
    package let range: Range<Int>

    package init(file: RandomAccessFile, fingerprint: FileFingerprint, range: Range<Int>) {
        self.file = file
        self.fingerprint = fingerprint
        self.range = range
    }

    package func makeAsyncIterator() -> Iterator { Iterator(chunks: self, offset: range.lowerBound) }

    package struct Iterator: AsyncIteratorProtocol, Sendable {
        let chunks: SourceChunks
        var offset: Int

        /// Returns the next chunk of the source; nil at its end.
        ///
        /// - Throws: `TransferError` when the source cannot be read or has changed, before any changed byte is returned.
        package mutating func next() async throws -> [UInt8]? {
            let count = Swift.min(RequestBody.chunkSize, chunks.range.upperBound - offset)
            guard count > 0 else { return nil }
            do {
                let bytes = try chunks.file.read(offset..<offset + count)
                guard bytes.count == count, try chunks.file.fingerprint() == chunks.fingerprint else {
                    throw TransferError.sourceChanged(chunks.file.url)
                }
                offset += count
                return bytes
            } catch let error as TransferError {
                throw error
            } catch {
                throw TransferError.sourceUnreadable(chunks.file.url, cause: error)
            }
        }
    }
}
