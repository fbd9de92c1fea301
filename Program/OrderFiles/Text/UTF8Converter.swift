/// An incremental converter of a file's bytes into valid UTF-8 without a byte order mark.
///
/// The encoding is UTF-8 or UTF-16. It is detected from the byte order mark, or for UTF-16 without one from the zero bytes of its first
/// characters. The output of a file is the same for every split of its bytes.
package struct UTF8Converter: Sendable {
    package enum Failure: Error, Hashable, Sendable {
        /// The bytes are neither valid UTF-8 nor valid UTF-16.
        case invalid
        /// The text contains U+0000.
        case nullCharacter
        case utf32
        case notText(FileSignature)
    }

    private enum Encoding { case unknown, utf8, utf16(isLittleEndian: Bool) }

    private var encoding = Encoding.unknown
    /// The bytes of an incomplete character; before the detection, the first bytes of the file.
    private var pending: [UInt8] = []

    package init() {}

    /// Appends the converted bytes to an output; before an error is thrown, those before the first invalid byte.
    package mutating func convert(_ bytes: Span<UInt8>, into output: inout [UInt8]) throws(Failure) {
        guard case .unknown = encoding else { return try decode(bytes, into: &output) }
        pending.append(contentsOf: bytes, from: 0)
        if pending.count >= FileSignature.lengthLimit { try detect(into: &output) }
    }

    /// Ends the file.
    package mutating func finish(into output: inout [UInt8]) throws(Failure) {
        if case .unknown = encoding { try detect(into: &output) }
        guard pending.isEmpty else { throw .invalid }
    }

    private mutating func detect(into output: inout [UInt8]) throws(Failure) {
        let bytes = pending
        pending = []
        let markLength = try detectEncoding(bytes)
        try decode(bytes.span.extracting(markLength...), into: &output)
    }

    /// Sets the encoding, and returns the length of the byte order mark.
    private mutating func detectEncoding(_ bytes: [UInt8]) throws(Failure) -> Int {
        // A byte order mark of UTF-32 begins with one of UTF-16.
        if bytes.starts(with: [0xFF, 0xFE, 0, 0]) || bytes.starts(with: [0, 0, 0xFE, 0xFF]) { throw .utf32 }
        if let signature = FileSignature(bytes) { throw .notText(signature) }
        encoding = .utf8
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return 3 }
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            encoding = .utf16(isLittleEndian: bytes[0] == 0xFF)
            return 2
        }
        switch bytes.prefix(4).map({ $0 == 0 }) {
        case [false, true, true, true], [true, true, true, false]: throw .utf32
        case [false, true, false, true], [false, true]: encoding = .utf16(isLittleEndian: true)
        case [true, false, true, false], [true, false]: encoding = .utf16(isLittleEndian: false)
        default: break
        }
        return 0
    }

    private mutating func decode(_ bytes: Span<UInt8>, into output: inout [UInt8]) throws(Failure) {
        switch encoding {
        case .utf16(let isLittleEndian): try decodeUTF16(bytes, isLittleEndian, into: &output)
        case .utf8, .unknown: try decodeUTF8(bytes, into: &output)
        }
    }

    private mutating func decodeUTF8(_ bytes: Span<UInt8>, into output: inout [UInt8]) throws(Failure) {
        var start = 0
        while !pending.isEmpty, start < bytes.count {
            pending.append(bytes[start])
            start += 1
            switch UTF8Sequence(in: pending.span, at: 0) {
            case .valid:
                output += pending
                pending.removeAll(keepingCapacity: true)
            case .incomplete: continue
            case .invalid, .nullCharacter: throw .invalid
            }
        }
        let (end, sequence) = UTF8Sequence.firstInvalid(in: bytes, from: start)
        output.append(contentsOf: bytes.extracting(..<end), from: start)
        switch sequence {
        case .valid: return
        case .incomplete: pending.append(contentsOf: bytes, from: end)
        case .invalid: throw .invalid
        case .nullCharacter: throw .nullCharacter
        }
    }

    private mutating func decodeUTF16(_ bytes: Span<UInt8>, _ isLittleEndian: Bool, into output: inout [UInt8]) throws(Failure) {
        var index = 0
        while index < bytes.count {
            if pending.isEmpty, let byte = UTF16Characters.ascii(bytes, at: index, isLittleEndian) {
                output.append(byte)
                index += 2
            } else {
                try decodeUTF16(bytes[index], isLittleEndian, into: &output)
                index += 1
            }
        }
    }

    private mutating func decodeUTF16(_ byte: UInt8, _ isLittleEndian: Bool, into output: inout [UInt8]) throws(Failure) {
        pending.append(byte)
        guard pending.count.isMultiple(of: 2), let scalar = try UTF16Characters.scalar(of: pending, isLittleEndian) else { return }
        guard scalar != "\0" else { throw .nullCharacter }
        output.append(contentsOf: scalar.utf8)
        pending.removeAll(keepingCapacity: true)
    }
}

/// The characters of UTF-16 (RFC 2781 §2).
private enum UTF16Characters {
    /// Returns the character of two or four bytes; nil if the second half of a surrogate pair is missing.
    static func scalar(of bytes: [UInt8], _ isLittleEndian: Bool) throws(UTF8Converter.Failure) -> Unicode.Scalar? {
        let first = unit(bytes, 0, isLittleEndian)
        if bytes.count == 2 {
            if UTF16.isLeadSurrogate(first) { return nil }
            guard let scalar = Unicode.Scalar(first) else { throw .invalid }
            return scalar
        }
        let second = unit(bytes, 2, isLittleEndian)
        guard UTF16.isTrailSurrogate(second) else { throw .invalid }
        return Unicode.Scalar(0x10000 + (UInt32(first & 0x3FF) << 10 | UInt32(second & 0x3FF)))
    }

    /// Returns the character of two bytes if it is one of ASCII and not zero.
    static func ascii(_ bytes: Span<UInt8>, at index: Int, _ isLittleEndian: Bool) -> UInt8? {
        guard index + 1 < bytes.count else { return nil }
        let (low, high) = isLittleEndian ? (bytes[index], bytes[index + 1]) : (bytes[index + 1], bytes[index])
        return high == 0 && low > 0 && low < 0x80 ? low : nil
    }

    private static func unit(_ bytes: [UInt8], _ index: Int, _ isLittleEndian: Bool) -> UInt16 {
        let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
        return isLittleEndian ? second << 8 | first : first << 8 | second
    }
}

extension [UInt8] {
    /// Appends the elements of a span from an index on.
    mutating func append(contentsOf bytes: Span<UInt8>, from start: Int) {
        bytes.extracting(start...).withUnsafeBufferPointer { self.append(contentsOf: $0) }
    }
}
