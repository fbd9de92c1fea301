import Foundation
import NIOCore
import Testing

@testable import CacheTraces
@testable import ContentCoding

@Suite("Pieces of compressed streams") struct SharedGzipBlocksTests {
    private let blocks = SharedGzipBlocks()

    private func event(_ number: Int) -> ByteBuffer {
        ByteBuffer(string: "event: rows\ndata: \(String(repeating: "<article>row \(number)</article>", count: 40))\n\n")
    }

    /// What a client has decoded once it has this much of a stream.
    private func decoded(_ pieces: [ByteBuffer]) throws -> String {
        let inflater = GzipInflater()
        var content = Data()
        for piece in [SharedGzipBlocks.header] + pieces { try inflater.inflate(Data(piece.readableBytesView)) { content += $0 } }
        return String(decoding: content, as: UTF8.self)
    }

    @Test func `Each piece can be decoded as soon as it has come, in any order and more than once`() throws {
        let (one, two) = (blocks.piece(for: event(1)), blocks.piece(for: event(2)))
        let id = SharedGzipBlocks.stored(ByteBuffer(string: "id: 7\n"))

        let texts = [event(1), event(2)].map { String(buffer: $0) }
        #expect(try decoded([one]) == texts[0])
        #expect(try decoded([two, id, one, two]) == texts[1] + "id: 7\n" + texts[0] + texts[1])
    }

    @Test func `A piece is shorter than what it stands for`() {
        #expect(blocks.piece(for: event(1)).readableBytes < event(1).readableBytes / 8)
    }

    @Test func `Short and very long texts come through`() throws {
        let long = ByteBuffer(string: String(repeating: "x", count: 200_000))

        #expect(try decoded([blocks.piece(for: ByteBuffer(string: "a"))]) == "a")
        #expect(try decoded([SharedGzipBlocks.stored(long), blocks.piece(for: long)]) == String(repeating: "x", count: 400_000))
        #expect(SharedGzipBlocks.stored(ByteBuffer()).readableBytes == 0)
    }

    @Test func `What is sent again is compressed once, as long as it is among the recent pieces`() {
        #expect(blocks.piece(for: event(1)).storage == blocks.piece(for: event(1)).storage)
        let first = blocks.piece(for: event(1))

        for number in 2..<6_000 { _ = blocks.piece(for: event(number)) }

        #expect(blocks.piece(for: event(1)).storage != first.storage)
        #expect(blocks.piece(for: event(1)) == first)
    }

    @Test func `A piece that several streams compressed at the same time counts once`() {
        var pieces = SharedGzipBlocks.Pieces()
        let (content, piece) = (event(1), blocks.piece(for: event(1)))

        pieces.store(piece, for: content)
        pieces.store(piece, for: content)

        #expect(pieces.recentSize == content.readableBytes + piece.readableBytes)
    }
}

extension ByteBuffer {
    /// Where the bytes lie: the same for copies of one buffer.
    fileprivate var storage: UnsafeRawPointer? { withVeryUnsafeBytes { $0.baseAddress } }
}
