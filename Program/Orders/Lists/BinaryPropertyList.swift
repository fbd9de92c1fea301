/// A reader of binary property lists that are flat dictionaries of strings.
///
/// ```
/// "bplist00" | objects | offsets of the objects | trailer, 32 bytes
/// ```
///
/// Objects are read one by one and nested references are not followed, so that nesting and cycles cost nothing.
struct BinaryPropertyList {
    /// The maximum length of all text read from a small document, in bytes: a document may reference one object many times.
    private static let textLimit = 16 << 20

    private let bytes: [UInt8]
    private let offsetSize: Int
    private let referenceSize: Int
    private let offsetTable: Int
    private let objectCount: Int
    private let topObject: Int

    init(_ document: [UInt8]) throws(OrderDocumentError) {
        bytes = document
        let trailer = document.count - 32
        guard document.starts(with: "bplist0".utf8), trailer >= 8 else { throw Self.malformedError }
        offsetSize = Int(document[trailer + 6])
        referenceSize = Int(document[trailer + 7])
        guard (1...8).contains(offsetSize), (1...8).contains(referenceSize) else { throw Self.malformedError }
        objectCount = try Self.number(document[(trailer + 8)..<(trailer + 16)])
        topObject = try Self.number(document[(trailer + 16)..<(trailer + 24)])
        offsetTable = try Self.number(document[(trailer + 24)..<(trailer + 32)])
        guard offsetTable <= trailer, objectCount <= (trailer - offsetTable) / offsetSize else { throw Self.malformedError }
    }

    func entries(limit: Int) throws(OrderDocumentError) -> ListEntries {
        let (kind, size, start) = try object(topObject)
        guard kind == 0xD else { throw .notADictionary }
        guard size <= (offsetTable - start) / referenceSize / 2 else { throw Self.malformedError }
        var entries = ListEntries(limit: limit)
        var remaining = max(Self.textLimit, 2 * bytes.count)
        for index in 0..<size {
            let (key, keyLength) = try value(at: start + index * referenceSize)
            let (value, valueLength) = try value(at: start + (size + index) * referenceSize)
            guard case .text(let text) = key else { throw .malformed("a key is not a string") }
            remaining -= keyLength + valueLength
            guard remaining >= 0 else { throw .tooLong(limit: max(Self.textLimit, 2 * bytes.count)) }
            try entries.append(text, value)
        }
        return entries
    }

    /// Returns the text of a referenced object, or the name of its kind when it is no text, and the number of bytes that were read or made.
    private func value(at position: Int) throws(OrderDocumentError) -> (value: ListEntry.Value, length: Int) {
        let (kind, size, start) = try object(try Self.number(bytes[position..<position + referenceSize]))
        switch kind {
        case 0x5:
            guard size <= offsetTable - start else { throw Self.malformedError }
            let text = String(validating: bytes[start..<start + size], as: UTF8.self)
            return (text.map { .text($0) } ?? .other("string"), size)
        case 0x6:
            guard size <= (offsetTable - start) / 2 else { throw Self.malformedError }
            let units = (0..<size).map { UInt16(bytes[start + 2 * $0]) << 8 | UInt16(bytes[start + 2 * $0 + 1]) }
            let text = String(validating: units, as: UTF16.self)
            return (text.map { .text($0) } ?? .other("string"), max(2 * size, text?.utf8.count ?? 0))
        default: return (.other(Self.name(of: kind)), 0)
        }
    }

    /// Returns the kind of an object, the number of its parts, and the position of the first part, at most `offsetTable`.
    private func object(_ reference: Int) throws(OrderDocumentError) -> (kind: UInt8, size: Int, start: Int) {
        guard reference < objectCount else { throw Self.malformedError }
        let entryOffset = offsetTable + reference * offsetSize
        let offset = try Self.number(bytes[entryOffset..<entryOffset + offsetSize])
        guard offset >= 8, offset < offsetTable else { throw Self.malformedError }
        let (kind, size) = (bytes[offset] >> 4, Int(bytes[offset] & 0xF))
        guard size == 0xF, kind >= 0x4 else { return (kind, size, offset + 1) }
        // Larger sizes are stored as a separate number object.
        guard offset + 1 < offsetTable, bytes[offset + 1] & 0xF0 == 0x10, bytes[offset + 1] & 0xF <= 3 else { throw Self.malformedError }
        let start = offset + 2 + (1 << Int(bytes[offset + 1] & 0xF))
        guard start <= offsetTable else { throw Self.malformedError }
        return (kind, try Self.number(bytes[(offset + 2)..<start]), start)
    }

    private static func name(of kind: UInt8) -> String {
        switch kind {
        case 0x1, 0x8: "integer"
        case 0x2: "real"
        case 0x3: "date"
        case 0x4: "data"
        case 0xA, 0xB, 0xC: "array"
        case 0xD: "dict"
        default: "nothing"
        }
    }

    /// Returns an unsigned big-endian number.
    private static func number(_ bytes: ArraySlice<UInt8>) throws(OrderDocumentError) -> Int {
        let number = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard number <= UInt64(UInt32.max) else { throw malformedError }
        return Int(number)
    }

    private static let malformedError = OrderDocumentError.malformed("the binary property list is invalid or truncated")
}
