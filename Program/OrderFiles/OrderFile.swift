import ErrorDescriptions
package import Foundation

/// A file of orders on a disk.
package struct OrderFile: Sendable {
    /// The number of bytes that are read at a time.
    fileprivate static let partSize = 65_536

    package let url: URL

    package init(_ url: URL) {
        self.url = url
    }

    /// The size in bytes, for the display of progress; 0 when it is unknown.
    package var size: Int {
        let attributes = try? FileManager.default.attributesOfItem(atPath: url.resolvingSymlinksInPath().path(percentEncoded: false))
        return (attributes?[.size] as? NSNumber)?.intValue ?? 0
    }

    /// The parts of an open file.
    package struct Parts: ~Copyable {
        private let url: URL
        private let handle: FileHandle

        fileprivate init(_ url: URL) throws(OrderFileError) {
            do { handle = try FileHandle(forReadingFrom: url) } catch { throw .unreadable(url, "check that it exists and is readable") }
            self.url = url
        }

        deinit { try? handle.close() }

        /// Returns the next part; nil at the end.
        package mutating func next() throws(OrderFileError) -> [UInt8]? {
            do {
                return try handle.read(upToCount: OrderFile.partSize).flatMap { $0.isEmpty ? nil : [UInt8]($0) }
            } catch {
                throw .unreadable(url, error.plainDescription ?? "check that it exists and is readable")
            }
        }
    }

    /// Opens the file.
    package func parts() throws(OrderFileError) -> Parts { try Parts(url) }

    /// Reads the file.
    ///
    /// - Parameter receive: Called with each event.
    /// - Returns: The reader at the end of the file.
    @discardableResult
    package func read(options: OrderFileReader.Options, receive: (OrderFileEvent) -> Void) throws(OrderFileError) -> OrderFileReader {
        var reader = OrderFileReader(options: options)
        var parts = try parts()
        while let part = try parts.next() { try reader.read(part.span, receive: receive) }
        try reader.finish(receive: receive)
        return reader
    }
}
