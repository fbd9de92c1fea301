/// The bytes of a message that do not fill a block yet.
struct BlockBuffer: Sendable {
    private let blockSize: Int
    private var pending: [UInt8] = []
    /// The number of all bytes.
    private var count = 0

    /// - Parameter blockSize: The size of a block, in bytes.
    init(blockSize: Int) {
        self.blockSize = blockSize
        pending.reserveCapacity(blockSize)
    }

    /// Appends bytes, and calls a closure with each block that they complete.
    mutating func append(_ bytes: UnsafeRawBufferPointer, _ compress: (UnsafeRawBufferPointer) -> Void) {
        count += bytes.count
        var rest = bytes[...]
        if !pending.isEmpty {
            let head = rest.prefix(blockSize - pending.count)
            pending.append(contentsOf: head)
            rest = rest.dropFirst(head.count)
            guard pending.count == blockSize else { return }
            pending.withUnsafeBytes { compress($0) }
            pending.removeAll(keepingCapacity: true)
        }
        while rest.count >= blockSize {
            compress(UnsafeRawBufferPointer(rebasing: rest.prefix(blockSize)))
            rest = rest.dropFirst(blockSize)
        }
        pending.append(contentsOf: rest)
    }

    /// Returns the bytes after the message: a one bit, zeros, and the length in bits at the end of a block (FIPS 180-4, §5.1).
    ///
    /// - Parameter lengthSize: The size of the length, in bytes.
    func padding(lengthSize: Int) -> [UInt8] {
        let used = (count + 1 + lengthSize) % blockSize
        let zeros = (used == 0 ? 0 : blockSize - used) + lengthSize - 8
        return [0x80] + [UInt8](repeating: 0, count: zeros) + withUnsafeBytes(of: (UInt64(count) << 3).bigEndian) { Array($0) }
    }
}
