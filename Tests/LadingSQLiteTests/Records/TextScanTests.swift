import Foundation
@testable import LadingSQLite
import LadingTesting
import Testing

@Suite struct TextScanTests {
    private func slots(_ words: [String], in texts: [String]) -> [Int] {
        var chunk = TextChunk([])
        for (slot, text) in texts.enumerated() { chunk[slot] = Array(text.utf8)[...] }
        return chunk.content.withUnsafeBytes { TextScan(words.map { Array($0.utf8) }).slots(in: $0) }
    }

    @Test func `Words are found in the rows that have all of them`() {
        let texts = ["abc def", "", "def", "abc", "xabcx def"]

        #expect(slots(["abc"], in: texts) == [0, 3, 4])
        #expect(slots(["def", "abc"], in: texts) == [0, 4])
        #expect(slots(["c"], in: texts) == [0, 3, 4])
        #expect(slots(["cdef"], in: texts) == [])
        #expect(slots(["a"], in: []) == [])
    }

    @Test func `Words that are common and never meet are found nowhere, and where they meet, there`() {
        let rows = (0..<300).map { $0.isMultiple(of: 2) ? "flowers for customer \($0)" : "wine for customer \($0)" }

        #expect(slots(["flowers", "wine"], in: rows) == [])
        #expect(slots(["customer", "flowers", "wine"], in: rows + ["wine and flowers for a customer"]) == [300])
        #expect(slots(["wine", "flowers"], in: ["wine, flowers"] + rows + ["", "flowers, wine", ""]) == [0, 302])
        #expect(slots(["customer", "wine"], in: Array(rows.prefix(6))) == [1, 3, 5])
    }

    @Test func `A chunk is read back as it was written, without what is empty at its end`() {
        var chunk = TextChunk([])
        chunk[2] = [1]
        chunk[5] = [2, 3]
        chunk[5] = []

        #expect(chunk.content == [0, 0, 1])
        #expect(TextChunk(chunk.content)[2] == [1])
        #expect(TextChunk.place(TextChunk.number(of: -1), TextChunk.slot(of: -1)) == -1)
    }

    @Test(arguments: Seeds.several(20)) func `Whatever is looked for, what is found is what contains it`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let letters = Array("abcé茶")
        let text = { (length: Int) in String((0..<length).map { _ in letters[Int.random(in: 0..<letters.count, using: &random)] }) }
        for _ in 0..<40 {
            let texts = (0..<Int.random(in: 0...40, using: &random)).map { _ in text(Int.random(in: 0...60, using: &random)) }
            let words = (0...Int.random(in: 0...3, using: &random)).map { _ in text(Int.random(in: 1...5, using: &random)) }
            let bytes = { (text: String) in Data(text.utf8) }
            let wanted = texts.indices.filter { index in words.allSatisfy { bytes(texts[index]).range(of: bytes($0)) != nil } }

            #expect(slots(words, in: texts) == wanted, "LADING_SEED=\(seed): \(words)")
        }
    }
}
