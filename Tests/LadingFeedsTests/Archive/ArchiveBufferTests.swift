import Foundation
import Testing

@testable import LadingFeeds

/// Tests of the order of archive writes.
@Suite struct ArchiveBufferTests {
    private var buffer = ArchiveBuffer(limit: 3)

    private func write(_ name: String, _ text: String = "") -> ArchiveWrite {
        ArchiveWrite(name: name, date: .distantPast) { Data(text.utf8) }
    }

    private func text(of name: String, in buffer: ArchiveBuffer) throws -> String? {
        try buffer.write(named: name)?.content().map { String(decoding: $0, as: UTF8.self) }
    }

    /// Returns a write of "list" that removes some values, and is the only one that retains the value "kept".
    private func list(removing names: String...) -> ArchiveWrite {
        let removal = ArchiveWrite.Removal(names: { names }, retains: { $0 == "kept" })
        return ArchiveWrite(name: "list", date: .distantPast, removal: removal) { Data() }
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
        #expect(buffer.beginBatch().map(\.name) == ["b", "c", "d"])
        for name in ["e", "f"] { buffer.add(write(name)) }
        buffer.endBatch(isWritten: false)

        #expect(buffer.beginBatch().map(\.name) == ["d", "e", "f"])
    }

    @Test mutating func `A write removes the values of the pending writes that it replaces, except those that it retains`() {
        buffer.add(list(removing: "a", "kept"))
        buffer.add(list(removing: "b"))
        buffer.add(list(removing: "c"))

        #expect(buffer.beginBatch().map { $0.removedNames() } == [["a", "b", "c"]])
    }

    @Test(arguments: [(true, ["b"]), (false, ["a", "b"])])
    func `A write removes the values of a batch that has failed`(isWritten: Bool, removed: [String]) {
        var buffer = ArchiveBuffer(limit: 3)
        buffer.add(list(removing: "a"))
        _ = buffer.beginBatch()
        buffer.add(list(removing: "b"))
        buffer.endBatch(isWritten: isWritten)

        #expect(buffer.beginBatch().map { $0.removedNames() } == [removed])
    }

    @Test mutating func `The number of inherited removals is limited`() {
        for number in 0..<20 { buffer.add(list(removing: "\(number)")) }

        #expect(buffer.beginBatch().map { $0.removedNames() } == [(12..<20).map { "\($0)" }])
    }

    @Test func `The length of a batch is limited`() {
        var buffer = ArchiveBuffer(limit: 2_000)
        for number in 0..<600 { buffer.add(write("\(number)")) }

        #expect(buffer.beginBatch().count == 500)
        buffer.endBatch(isWritten: true)
        #expect(buffer.beginBatch().map(\.name) == (500..<600).map { "\($0)" })
    }
}
