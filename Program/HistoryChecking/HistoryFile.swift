import Foundation

/// Recorded histories as JSON Lines.
package enum HistoryFile {
    /// The error of a line that is no record.
    package struct InvalidLine: Error, CustomStringConvertible {
        /// From 1.
        package let number: Int

        package var description: String { "line \(number) is no record of a history" }
    }

    /// Returns a record as a line with sorted keys, so that equal records are equal text.
    package static func line(_ record: HistoryRecord) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let data = (try? encoder.encode(record)) ?? Data()
        return String(decoding: data, as: UTF8.self)
    }

    /// Parses lines. A last line without its end, as after a kill, is ignored.
    ///
    /// - Throws: `InvalidLine`.
    package static func records(in text: String) throws(InvalidLine) -> [HistoryRecord] {
        // By bytes, because CR LF is one character.
        let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map(Substring.init)
        var records: [HistoryRecord] = []
        for (index, line) in lines.enumerated() where !line.allSatisfy(\.isWhitespace) {
            if let record = try? JSONDecoder().decode(HistoryRecord.self, from: Data(line.utf8)), record.hasValidTimes {
                records.append(record)
            } else if index < lines.count - 1 {
                throw InvalidLine(number: index + 1)
            }
        }
        return records
    }
}
