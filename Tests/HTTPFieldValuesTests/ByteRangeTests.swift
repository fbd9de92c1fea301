import HTTPFieldValues
import Testing

@Suite struct ByteRangeTests {
    @Test(arguments: [
        ("bytes=0-1", 0..<2), ("bytes=5-", 5..<10), ("bytes=-3", 7..<10), ("bytes=-30", 0..<10), ("bytes=8-100", 8..<10),
        ("Bytes= 1-1", 1..<2), ("bytes=9-9223372036854775806", 9..<10),
    ])
    func `A byte range is resolved within the length of the representation`(text: String, bytes: Range<Int>) {
        #expect(ByteRange(text)?.resolved(in: 10) == bytes)
    }

    @Test(arguments: ["bytes=10-", "bytes=10-12", "bytes=-0"])
    func `A byte range beyond the end is unsatisfiable`(text: String) {
        #expect(ByteRange(text) != nil && ByteRange(text)?.resolved(in: 10) == nil)
    }

    @Test(arguments: [
        "", "bytes", "bytes=", "bytes=-", "bytes=5-4", "bytes=a-b", "bytes=0-1,3-4", "lines=1-2", "bytes=--1", "bytes=1-2-3",
        "pages=1-2", "bytes=99999999999999999999-", "bytes=0-99999999999999999999", "bytes=5 -9", "bytes=+1-2", "bytes 1-2",
    ])
    func `An invalid or multiple range requests the whole representation`(text: String) {
        #expect(ByteRange(text) == nil)
    }

    @Test(arguments: ["bytes=0-", "bytes=-1", "bytes=0-0"])
    func `Nothing of an empty representation is satisfiable`(text: String) {
        #expect(ByteRange(text)?.resolved(in: 0) == nil)
    }
}
