/// The bounds of a CSV file.
package struct CSVLimits: Hashable, Sendable {
    /// The largest number of fields of a row.
    package var fieldCount = 256
    /// The largest size of a field in bytes, with its quotes.
    package var fieldSize = 131_072
    /// The largest size of a row in bytes, with its quotes and delimiters, and its line end.
    package var rowSize = 262_144

    package init() {}
}
