import Foundation
import LadingHTTP
import LadingTesting
import ScriptedServers

/// A stream of numbered blocks that is generated on demand and counts the consumed bytes.
final class CountingBodyStream: Sendable {
    /// The number of bytes per block.
    static let blockSize = 65_536

    /// The number of consumed bytes of all iterations.
    let bytesConsumed = ObservableValue(0)
    private let blockCount: Int
    private let error: (any Error)?
    private let gate: Gate?

    /// Creates a stream.
    ///
    /// - Parameters:
    ///   - gate: The gate in front of the second block.
    ///   - error: The error after the last block, if any.
    init(blocks: Int, gate: Gate? = nil, endingWith error: (any Error)? = nil) {
        self.blockCount = blocks
        self.gate = gate
        self.error = error
    }

    var length: Int { blockCount * Self.blockSize }

    /// Returns a request body.
    ///
    /// - Parameter length: The announced length.
    func body(length: Int? = nil) -> RequestBody {
        .stream(length: length) { Blocks(stream: self) }
    }

    /// Whether bytes equal those of the stream.
    func matches(_ bytes: [UInt8]) -> Bool {
        guard bytes.count == length else { return false }
        return (0..<blockCount).allSatisfy { number in
            // A comparison byte by byte takes seconds for 64 million bytes in a debug build.
            bytes[number * Self.blockSize..<(number + 1) * Self.blockSize].withUnsafeBytes { piece in
                piece.baseAddress.map { memcmp($0, Self.block(number), piece.count) == 0 } ?? false
            }
        }
    }

    private static func block(_ number: Int) -> [UInt8] {
        var block = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: blockSize)
        block[0] = UInt8(truncatingIfNeeded: number >> 8)
        return block
    }

    private struct Blocks: AsyncSequence, AsyncIteratorProtocol {
        let stream: CountingBodyStream
        private var number = 0

        init(stream: CountingBodyStream) {
            self.stream = stream
        }

        func makeAsyncIterator() -> Blocks { self }

        mutating func next() async throws -> [UInt8]? {
            guard number < stream.blockCount else {
                if let error = stream.error { throw error }
                return nil
            }
            if number == 1 { try await stream.gate?.wait() }
            defer { number += 1 }
            stream.bytesConsumed.change { $0 += CountingBodyStream.blockSize }
            return block(number)
        }
    }
}
