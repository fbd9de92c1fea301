/// A one-pass writer of JSON (RFC 8259), with fields in the order of the calls: equal calls produce equal bytes.
///
/// It writes commas, quotation marks and escapes, and does not check the structure: the caller writes one value, and fields only in
/// objects.
///
/// ```swift
/// var json = JSONWriter(.unicode)
/// json.object { json in
///     json.field("title", order.title)
///     json.field("items", array: order.items) { item, json in json.string(item.name) }
/// }
/// ```
package struct JSONWriter {
    private let escapes: JSONEscapes
    private var bytes: [UInt8] = []
    /// Whether a comma must precede the next value.
    private var needsComma = false

    package init(_ escapes: JSONEscapes) {
        self.escapes = escapes
    }

    /// The JSON that has been written.
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    package mutating func object(_ write: (inout JSONWriter) -> Void) {
        openContainer(UInt8(ascii: "{"))
        write(&self)
        closeContainer(UInt8(ascii: "}"))
    }

    package mutating func array<Element>(_ elements: [Element], _ write: (Element, inout JSONWriter) -> Void) {
        openContainer(UInt8(ascii: "["))
        for element in elements { write(element, &self) }
        closeContainer(UInt8(ascii: "]"))
    }

    /// Writes an array whose elements have different types.
    package mutating func array(_ write: (inout JSONWriter) -> Void) {
        openContainer(UInt8(ascii: "["))
        write(&self)
        closeContainer(UInt8(ascii: "]"))
    }

    package mutating func string(_ text: String) {
        writeCommaIfNeeded()
        bytes.append(UInt8(ascii: "\""))
        escapes.append(text, to: &bytes)
        bytes.append(UInt8(ascii: "\""))
        needsComma = true
    }

    /// Writes a number.
    ///
    /// - Parameter number: A finite number whose description is valid JSON.
    package mutating func number(_ number: some Numeric & CustomStringConvertible) { literal(number.description) }

    /// Writes the key of a field.
    ///
    /// - Parameter key: A key without characters that JSON escapes.
    private mutating func writeKey(_ key: StaticString) {
        writeCommaIfNeeded()
        bytes.append(UInt8(ascii: "\""))
        bytes += UnsafeBufferPointer(start: key.utf8Start, count: key.utf8CodeUnitCount)
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// Writes a number, `true`, `false` or `null`.
    private mutating func literal(_ text: String) {
        writeCommaIfNeeded()
        bytes += text.utf8
        needsComma = true
    }

    private mutating func writeCommaIfNeeded() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
    }

    private mutating func openContainer(_ bracket: UInt8) {
        writeCommaIfNeeded()
        bytes.append(bracket)
        needsComma = false
    }

    private mutating func closeContainer(_ bracket: UInt8) {
        bytes.append(bracket)
        needsComma = true
    }
}

// The fields of an object. A value of nil is written as null.
extension JSONWriter {
    package mutating func field(_ key: StaticString, _ text: String?) {
        writeKey(key)
        if let text { string(text) } else { literal("null") }
    }

    /// Writes a field with a number.
    ///
    /// - Parameter number: A finite number whose description is valid JSON.
    package mutating func field(_ key: StaticString, number: (some Numeric & CustomStringConvertible)?) {
        writeKey(key)
        literal(number?.description ?? "null")
    }

    package mutating func field(_ key: StaticString, flag: Bool) {
        writeKey(key)
        literal(flag ? "true" : "false")
    }

    package mutating func field(_ key: StaticString, object write: (inout JSONWriter) -> Void) {
        writeKey(key)
        object(write)
    }

    package mutating func field<Element>(_ key: StaticString, array elements: [Element], _ write: (Element, inout JSONWriter) -> Void) {
        writeKey(key)
        array(elements, write)
    }
}
