import OrderFiles
import Testing

@Suite("Encodings")
struct UTF8ConverterTests {
    private static let text = "title,näme,价格,😀\u{10FFFF}\u{FFFD}\r\n"

    @Test func `UTF-8 and UTF-16 are converted, with or without a byte order mark`() throws {
        let little = [UInt8].utf16(Self.text, isLittleEndian: true), big = [UInt8].utf16(Self.text, isLittleEndian: false)
        let files = [
            [UInt8](Self.text.utf8), [0xEF, 0xBB, 0xBF] + [UInt8](Self.text.utf8), little, [0xFF, 0xFE] + little, big, [0xFE, 0xFF] + big,
        ]

        for file in files {
            for size in 1...9 { #expect(try converted(file.parts(of: size)) == Self.text) }
        }
    }

    @Test(arguments: ["", "a", "ab", "é", "abc", "[]"])
    func `A short text is converted`(text: String) throws {
        #expect(try converted([[UInt8](text.utf8)]) == text)
        #expect(try converted([.utf16("\u{FEFF}" + text, isLittleEndian: true)]) == text)
    }

    @Test(
        arguments: [
            [0xC0, 0x80], [0xC1, 0xBF], [0xE0, 0x9F, 0xBF], [0xF0, 0x8F, 0xBF, 0xBF],  // overlong
            [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF],  // surrogates
            [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFF], [0xFE],  // too large, or no character
            [0x80], [0xBF], [0xE4, 0x20], [0xE2, 0x82, 0x41], [0xF0, 0x9F, 0x98, 0x41],  // incomplete, or Latin-1
            [0xE2, 0x82], [0xF0, 0x9F, 0x98], [0xC3],  // cut off
        ] as [[UInt8]])
    func `Invalid UTF-8 is an error behind the valid text`(bytes: [UInt8]) {
        let prefix = "valid text of more than a word, "
        for size in [1, 3, 8, 100] {
            var converter = UTF8Converter()
            var output: [UInt8] = []

            #expect(throws: UTF8Converter.Failure.invalid) {
                for part in ([UInt8](prefix.utf8) + bytes).parts(of: size) { try converter.convert(part.span, into: &output) }
                try converter.finish(into: &output)
            }
            #expect(String(decoding: output, as: UTF8.self) == prefix)
        }
    }

    @Test(
        arguments: [
            [0x3D, 0xD8, 0x41, 0x00], [0x00, 0xDE, 0x41, 0x00], [0x3D, 0xD8], [0x41],  // unpaired surrogates, half a unit
        ] as [[UInt8]])
    func `Invalid UTF-16 is an error`(bytes: [UInt8]) {
        let file = [0xFF, 0xFE] + [UInt8].utf16("valid", isLittleEndian: true) + bytes

        #expect(throws: UTF8Converter.Failure.invalid) { try converted([file]) }
        #expect(throws: UTF8Converter.Failure.invalid) { try converted(file.parts(of: 1)) }
    }

    @Test func `Zero characters and UTF-32 are errors`() {
        #expect(throws: UTF8Converter.Failure.nullCharacter) { try converted([[UInt8]("a,b,c,d,e,f\0".utf8)]) }
        #expect(throws: UTF8Converter.Failure.nullCharacter) { try converted([.utf16("\u{FEFF}ab\0", isLittleEndian: false)]) }
        #expect(throws: UTF8Converter.Failure.utf32) { try converted([[0xFF, 0xFE, 0, 0, 0x61, 0, 0, 0]]) }
        #expect(throws: UTF8Converter.Failure.utf32) { try converted([[0, 0, 0xFE, 0xFF]]) }
        #expect(throws: UTF8Converter.Failure.utf32) { try converted([[0x61, 0, 0, 0, 0x62, 0, 0, 0]]) }
    }

    private func converted(_ parts: [[UInt8]]) throws -> String {
        var converter = UTF8Converter()
        var output: [UInt8] = []
        for part in parts { try converter.convert(part.span, into: &output) }
        try converter.finish(into: &output)
        return String(decoding: output, as: UTF8.self)
    }
}
