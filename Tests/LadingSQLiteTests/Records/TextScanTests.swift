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

    @Test func `A scan finds the rows that contain all words`() {
        let texts = ["abc def", "", "def", "abc", "xabcx def"]

        #expect(slots(["abc"], in: texts) == [0, 3, 4])
        #expect(slots(["def", "abc"], in: texts) == [0, 4])
        #expect(slots(["c"], in: texts) == [0, 3, 4])
        #expect(slots(["cdef"], in: texts) == [])
        #expect(slots(["a"], in: []) == [])
    }

    @Test func `Words that are frequent apart are found only in rows that contain all of them`() {
        let rows = (0..<300).map { $0.isMultiple(of: 2) ? "flowers for customer \($0)" : "wine for customer \($0)" }

        #expect(slots(["flowers", "wine"], in: rows) == [])
        #expect(slots(["customer", "flowers", "wine"], in: rows + ["wine and flowers for a customer"]) == [300])
        #expect(slots(["wine", "flowers"], in: ["wine, flowers"] + rows + ["", "flowers, wine", ""]) == [0, 302])
        #expect(slots(["customer", "wine"], in: Array(rows.prefix(6))) == [1, 3, 5])
    }

    @Test func `A chunk is decoded as it was encoded, without trailing empty texts`() {
        var chunk = TextChunk([])
        chunk[2] = [1]
        chunk[5] = [2, 3]
        chunk[5] = []

        #expect(chunk.content == [0, 0, 1])
        #expect(TextChunk(chunk.content)[2] == [1])
        #expect(TextChunk.place(TextChunk.number(of: -1), TextChunk.slot(of: -1)) == -1)
    }

    @Test(arguments: TestSeeds.seeds(count: 20)) func `A scan finds the same rows as a plain search`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let alphabet = Array("abcé茶")
        let text = { (length: Int) in String((0..<length).map { _ in alphabet[Int.random(in: 0..<alphabet.count, using: &random)] }) }
        for _ in 0..<40 {
            let texts = (0..<Int.random(in: 0...40, using: &random)).map { _ in text(Int.random(in: 0...60, using: &random)) }
            let words = (0...Int.random(in: 0...3, using: &random)).map { _ in text(Int.random(in: 1...5, using: &random)) }
            let bytes = { (text: String) in Data(text.utf8) }
            let expected = texts.indices.filter { index in words.allSatisfy { bytes(texts[index]).range(of: bytes($0)) != nil } }

            #expect(slots(words, in: texts) == expected, "LADING_SEED=\(seed): \(words)")
        }
    }
}
