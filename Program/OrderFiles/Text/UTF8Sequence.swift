/// The validity of one character of UTF-8 (RFC 3629 §4).
enum UTF8Sequence: Equatable {
    case valid(length: Int)
    /// The bytes end within the character.
    case incomplete
    case invalid
    case nullCharacter

    /// Checks the character at an index.
    init(in bytes: Span<UInt8>, at index: Int) {
        let first = bytes[index]
        switch first {
        case 0: self = .nullCharacter
        case 1..<0x80: self = .valid(length: 1)
        case 0xC2...0xDF: self.init(bytes, index, length: 2)
        // The limits of the second byte exclude overlong forms, surrogates and numbers above U+10FFFF.
        case 0xE0: self.init(bytes, index, length: 3, second: 0xA0...0xBF)
        case 0xED: self.init(bytes, index, length: 3, second: 0x80...0x9F)
        case 0xE1...0xEF: self.init(bytes, index, length: 3)
        case 0xF0: self.init(bytes, index, length: 4, second: 0x90...0xBF)
        case 0xF1...0xF3: self.init(bytes, index, length: 4)
        case 0xF4: self.init(bytes, index, length: 4, second: 0x80...0x8F)
        default: self = .invalid
        }
    }

    private init(_ bytes: Span<UInt8>, _ index: Int, length: Int, second: ClosedRange<UInt8> = 0x80...0xBF) {
        let available = min(length, bytes.count - index)
        if available > 1, !second.contains(bytes[index + 1]) {
            self = .invalid
        } else if available > 2, bytes[index + 2] & 0xC0 != 0x80 {
            self = .invalid
        } else if available > 3, bytes[index + 3] & 0xC0 != 0x80 {
            self = .invalid
        } else {
            self = available == length ? .valid(length: length) : .incomplete
        }
    }

    /// Returns the index of the first invalid or incomplete character, and its defect; the end and `.valid` if there is none.
    static func firstInvalid(in bytes: Span<UInt8>, from start: Int) -> (index: Int, sequence: UTF8Sequence) {
        var index = start
        while true {
            index = endOfASCII(in: bytes, from: index)
            guard index < bytes.count else { return (index, .valid(length: 0)) }
            let sequence = UTF8Sequence(in: bytes, at: index)
            guard case .valid(let length) = sequence else { return (index, sequence) }
            index += length
        }
    }

    /// Returns the index of the first byte that is zero or not ASCII, or up to seven bytes before it.
    private static func endOfASCII(in bytes: Span<UInt8>, from start: Int) -> Int {
        let raw = bytes.bytes
        var index = start
        while index + 8 <= raw.byteCount {
            let word = raw.unsafeLoadUnaligned(fromUncheckedByteOffset: index, as: UInt64.self)
            // A subtraction of one sets the high bit of a zero byte.
            guard (word | (word &- 0x0101_0101_0101_0101)) & 0x8080_8080_8080_8080 == 0 else { break }
            index += 8
        }
        return index
    }
}
