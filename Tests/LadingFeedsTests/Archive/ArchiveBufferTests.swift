import Foundation
import Testing

@testable import LadingFeeds

/// Tests of the order of archive writes.
@Suite struct ArchiveBufferTests {
    private var buffer = ArchiveBuffer(limit: 3)

    private func write(_ name: String, _ text: String = "") -> ArchiveWrite {
        ArchiveWrite(name: name, date: .distantPast) { ArchiveWrite.Change(content: Data(text.utf8)) }
    }

    private func text(of name: String, in buffer: ArchiveBuffer) throws -> String? {
        try buffer.write(named: name)?.change().content.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test mutating func `Writes are performed in order, and only the last one of each name`() throws {
        buffer.add(write("a", "1"))
        buffer.add(write("b"))
        buffer.add(write("a", "2"))

        #expect(try text(of: "a", in: buffer) == "2")
        #expect(buffer.beginBatch().map(\.name) == ["a", "b"])
        #expect(buffer.isEmpty)
    }

    @Test mutating func `A write is found until its batch has ended`() throws {
        buffer.add(write("a", "1"))
        _ = buffer.beginBatch()

        #expect(try text(of: "a", in: buffer) == "1")
        buffer.endBatch(isWritten: true)
        #expect(try text(of: "a", in: buffer) == nil)
    }

    @Test mutating func `Failed writes are performed again unless newer ones replaced them`() throws {
        buffer.add(write("a", "1"))
        buffer.add(write("b", "1"))
        _ = buffer.beginBatch()
        buffer.add(write("b", "2"))
        buffer.add(write("c"))
        buffer.endBatch(isWritten: false)

        #expect(try text(of: "b", in: buffer) == "2")
        #expect(buffer.beginBatch().map(\.name) == ["a", "b", "c"])
    }

    @Test mutating func `The oldest write is dropped beyond the limit`() {
        for name in ["a", "b", "c", "d"] { buffer.add(write(name)) }
        _ = buffer.beginBatch()
        for name in ["e", "f"] { buffer.add(write(name)) }
        buffer.endBatch(isWritten: false)

        #expect(buffer.beginBatch().map(\.name) == ["d", "e", "f"])
    }

    @Test func `The length of a batch is limited`() {
        var buffer = ArchiveBuffer(limit: 2_000)
        for number in 0..<600 { buffer.add(write("\(number)")) }

        #expect(buffer.beginBatch().count == 500)
        buffer.endBatch(isWritten: true)
        #expect(buffer.beginBatch().map(\.name) == (500..<600).map { "\($0)" })
    }
}
