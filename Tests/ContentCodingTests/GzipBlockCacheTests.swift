import Foundation
import NIOCore
import Testing

@testable import CacheTraces
@testable import ContentCoding

@Suite("Compressed stream blocks") struct GzipBlockCacheTests {
    private let cache = GzipBlockCache()

    private func event(_ number: Int) -> ByteBuffer {
        ByteBuffer(string: "event: rows\ndata: \(String(repeating: "<article>row \(number)</article>", count: 40))\n\n")
    }

    /// Returns the content that a client has decoded from the beginning of a stream.
    private func decoded(_ pieces: [ByteBuffer]) throws -> String {
        let decoder = GzipDecoder()
        var content = Data()
        for piece in [GzipBlockCache.header] + pieces { try decoder.inflate(Data(piece.readableBytesView)) { content += $0 } }
        return String(decoding: content, as: UTF8.self)
    }

    @Test func `Each block can be decoded as soon as it arrives, in any order and repeatedly`() throws {
        let (one, two) = (cache.block(for: event(1)), cache.block(for: event(2)))
        let id = GzipBlockCache.stored(ByteBuffer(string: "id: 7\n"))

        let texts = [event(1), event(2)].map { String(buffer: $0) }
        #expect(try decoded([one]) == texts[0])
        #expect(try decoded([two, id, one, two]) == texts[1] + "id: 7\n" + texts[0] + texts[1])
    }

    @Test func `A block is shorter than its content`() {
        #expect(cache.block(for: event(1)).readableBytes < event(1).readableBytes / 8)
    }

    @Test func `Short and very long content is encoded correctly`() throws {
        let long = ByteBuffer(string: String(repeating: "x", count: 200_000))

        #expect(try decoded([cache.block(for: ByteBuffer(string: "a"))]) == "a")
        #expect(try decoded([GzipBlockCache.stored(long), cache.block(for: long)]) == String(repeating: "x", count: 400_000))
        #expect(GzipBlockCache.stored(ByteBuffer()).readableBytes == 0)
    }

    @Test func `Repeated content is compressed once while its block is cached`() {
        #expect(cache.block(for: event(1)).storage == cache.block(for: event(1)).storage)
        let first = cache.block(for: event(1))

        for number in 2..<6_000 { _ = cache.block(for: event(number)) }

        #expect(cache.block(for: event(1)).storage != first.storage)
        #expect(cache.block(for: event(1)) == first)
    }

    @Test func `A block that several streams compressed at the same time counts once`() {
        var generations = GzipBlockCache.Generations()
        let (content, piece) = (event(1), cache.block(for: event(1)))

        generations.store(piece, for: content)
        generations.store(piece, for: content)

        #expect(generations.currentSize == content.readableBytes + piece.readableBytes)
    }
}

extension ByteBuffer {
    /// The address of the bytes, equal for copies of one buffer.
    fileprivate var storage: UnsafeRawPointer? { withVeryUnsafeBytes { $0.baseAddress } }
}
