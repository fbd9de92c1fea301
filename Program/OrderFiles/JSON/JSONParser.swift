/// A parser of one JSON text (RFC 8259) in valid UTF-8.
package struct JSONParser {
    /// The largest number of nested arrays and objects.
    package static let depthLimit = 32
    /// The largest number of values in a text.
    package static let valueLimit = 8_192

    private let bytes: [UInt8]
    private let start: Int
    private let end: Int
    private var index: Int
    private var depth = 0
    private var valueCount = 0

    private init(_ bytes: [UInt8], _ range: Range<Int>) {
        self.bytes = bytes
        (start, end, index) = (range.lowerBound, range.upperBound, range.lowerBound)
    }

    /// Returns the value of a range of bytes.
    package static func parse(_ bytes: [UInt8], in range: Range<Int>) throws(JSONProblem) -> JSONValue {
        var parser = JSONParser(bytes, range)
        let value = try parser.value()
        parser.skipWhitespace()
        guard parser.index == parser.end else { throw parser.error(.endOfLine) }
        return value
    }

    /// Returns the index behind a first member with a key and behind its comma; nil if the object begins otherwise.
    static func endOfFirstMember(_ key: String, of bytes: [UInt8], in range: Range<Int>) -> Int? {
        var parser = JSONParser(bytes, range)
        parser.skipWhitespace()
        guard parser.skip(UInt8(ascii: "{")) else { return nil }
        parser.skipWhitespace()
        guard (try? parser.string()) == key else { return nil }
        parser.skipWhitespace()
        guard parser.skip(UInt8(ascii: ":")), (try? parser.value()) != nil else { return nil }
        parser.skipWhitespace()
        _ = parser.skip(UInt8(ascii: ","))
        return parser.index
    }

    private mutating func value() throws(JSONProblem) -> JSONValue {
        valueCount += 1
        guard valueCount <= Self.valueLimit else { throw .tooManyValues(limit: Self.valueLimit) }
        skipWhitespace()
        switch next {
        case UInt8(ascii: "{"): return .object(try members())
        case UInt8(ascii: "["): return .array(try elements())
        case .quote: return .string(try string())
        case UInt8(ascii: "t"): return try literal("true", .bool(true))
        case UInt8(ascii: "f"): return try literal("false", .bool(false))
        case UInt8(ascii: "n"): return try literal("null", .null)
        default: return .number(try number())
        }
    }

    // MARK: - Arrays and objects

    private mutating func members() throws(JSONProblem) -> [JSONMember] {
        var members: [JSONMember] = []
        try container(UInt8(ascii: "}"), .commaOrBrace) { parser throws(JSONProblem) in
            let key = try parser.string()
            parser.skipWhitespace()
            guard parser.skip(UInt8(ascii: ":")) else { throw parser.error(.colon) }
            members.append(JSONMember(key: key, value: try parser.value()))
        }
        return members
    }

    private mutating func elements() throws(JSONProblem) -> [JSONValue] {
        var elements: [JSONValue] = []
        try container(UInt8(ascii: "]"), .commaOrBracket) { parser throws(JSONProblem) in elements.append(try parser.value()) }
        return elements
    }

    private mutating func container(
        _ closing: UInt8, _ expected: JSONExpectation, _ element: (inout JSONParser) throws(JSONProblem) -> Void
    ) throws(JSONProblem) {
        index += 1
        depth += 1
        guard depth <= Self.depthLimit else { throw .depthExceeded(limit: Self.depthLimit) }
        skipWhitespace()
        if !skip(closing) {
            repeat {
                skipWhitespace()
                try element(&self)
                skipWhitespace()
            } while skip(UInt8(ascii: ","))
            guard skip(closing) else { throw error(expected) }
        }
        depth -= 1
    }

    // MARK: - Strings

    private mutating func string() throws(JSONProblem) -> String {
        guard skip(.quote) else { throw error(.quote) }
        var text: [UInt8] = []
        while true {
            let start = index
            while index < end, bytes[index] != .quote, bytes[index] != .backslash, bytes[index] >= 0x20 { index += 1 }
            if text.isEmpty, skip(.quote) { return String(decoding: bytes[start..<index - 1], as: UTF8.self) }
            text += bytes[start..<index]
            if skip(.quote) { return String(decoding: text, as: UTF8.self) }
            guard skip(.backslash) else { throw error(.closingQuote) }
            try escape(into: &text)
        }
    }

    private mutating func escape(into text: inout [UInt8]) throws(JSONProblem) {
        guard let byte = next else { throw error(.escape) }
        index += 1
        switch byte {
        case .quote, .backslash, UInt8(ascii: "/"): text.append(byte)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(.lineFeed)
        case UInt8(ascii: "r"): text.append(.carriageReturn)
        case UInt8(ascii: "t"): text.append(.tab)
        case UInt8(ascii: "u"): text += try escapedScalar().utf8
        default:
            index -= 1
            throw error(.escapedCharacter)
        }
    }

    private mutating func escapedScalar() throws(JSONProblem) -> Unicode.Scalar {
        let first = try codeUnit()
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard UTF16.isLeadSurrogate(first), skip(.backslash), skip(UInt8(ascii: "u")) else {
            throw error(.surrogateHalf)
        }
        let second = try codeUnit()
        guard UTF16.isTrailSurrogate(second),
            let scalar = Unicode.Scalar(0x10000 + (UInt32(first & 0x3FF) << 10 | UInt32(second & 0x3FF)))
        else { throw error(.surrogateHalf) }
        return scalar
    }

    private mutating func codeUnit() throws(JSONProblem) -> UInt16 {
        let digits = bytes[index..<min(index + 4, end)]
        guard digits.count == 4, digits.allSatisfy(\.isHexDigit), let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
        else {
            throw error(.hexadecimalDigits)
        }
        index += 4
        return unit
    }

    // MARK: - Numbers and literals

    private mutating func number() throws(JSONProblem) -> String {
        let start = index
        _ = skip(UInt8(ascii: "-"))
        let whole = skipDigits()
        guard whole > 0 else { throw error(.value) }
        guard whole == 1 || bytes[index - whole] != .zero else { throw error(.numberWithoutLeadingZeros) }
        if skip(UInt8(ascii: ".")), skipDigits() == 0 { throw error(.digit) }
        if skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) {
            if !skip(UInt8(ascii: "-")) { _ = skip(UInt8(ascii: "+")) }
            guard skipDigits() > 0 else { throw error(.digit) }
        }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    private mutating func literal(_ text: StaticString, _ value: JSONValue) throws(JSONProblem) -> JSONValue {
        let expected = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
        guard bytes[index..<end].starts(with: expected) else { throw error(.value) }
        index += expected.count
        return value
    }

    // MARK: - Bytes

    private var next: UInt8? { index < end ? bytes[index] : nil }

    private mutating func skip(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        index += 1
        return true
    }

    private mutating func skipWhitespace() {
        while let next, next.isBlank { index += 1 }
    }

    /// Skips digits, and returns their number.
    private mutating func skipDigits() -> Int {
        let start = index
        while let next, next.isDigit { index += 1 }
        return index - start
    }

    private func error(_ expected: JSONExpectation) -> JSONProblem {
        .syntax(expected: expected, column: TextPosition(after: bytes.span.extracting(start..<index), from: 1).column)
    }
}

extension UInt8 {
    fileprivate var isHexDigit: Bool { isDigit || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(lowercased) }
}
