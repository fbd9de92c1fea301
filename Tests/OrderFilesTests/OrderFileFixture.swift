import Foundation
import OrderFiles
import OrderStorage
import SeededNumbers

/// The outcome of reading a file.
struct ReadOutcome: Equatable {
    var events: [OrderFileEvent] = []
    var error: OrderFileError?
    var layout: OrderFileLayout?

    var orders: [OrderFileRow] {
        events.compactMap { event in if case .order(let row) = event { row } else { nil } }
    }

    var rejectedRows: [RejectedRow] {
        events.compactMap { event in if case .faulty(let row) = event { row } else { nil } }
    }

    var notices: [String] {
        events.compactMap { event in if case .notice(let notice) = event { notice.description } else { nil } }
    }

    /// The texts of all faults.
    var errors: [String] { rejectedRows.flatMap(\.descriptions) }
    var contents: [OrderContent] { orders.map(\.content) }

    static func == (left: Self, right: Self) -> Bool {
        left.events == right.events && left.error == right.error && left.layout == right.layout
    }
}

extension OrderFileReader.Options {
    static func test(
        format: OrderFileFormat? = nil, delimiter: CSVDelimiter? = nil, timeZone: String = "Europe/Berlin", defaultCurrency: String? = nil,
        rowLimit: Int = OrderFileReader.rowLimit
    ) -> OrderFileReader.Options {
        OrderFileReader.Options(
            format: format, delimiter: delimiter, timeZone: TimeZone(identifier: timeZone) ?? .gmt, defaultCurrency: defaultCurrency,
            rowLimit: rowLimit)
    }
}

/// Reads a file that is split into parts.
func read(parts: some Sequence<[UInt8]>, options: OrderFileReader.Options = .test()) -> ReadOutcome {
    var reader = OrderFileReader(options: options)
    var outcome = ReadOutcome()
    do throws(OrderFileError) {
        for part in parts { try reader.read(part.span) { outcome.events.append($0) } }
        try reader.finish { outcome.events.append($0) }
    } catch {
        outcome.error = error
    }
    outcome.layout = reader.layout
    return outcome
}

func read(_ bytes: [UInt8], options: OrderFileReader.Options = .test()) -> ReadOutcome {
    read(parts: [bytes], options: options)
}

func read(_ text: String, options: OrderFileReader.Options = .test()) -> ReadOutcome {
    read([UInt8](text.utf8), options: options)
}

/// Reads one row with these columns besides the required ones, which are valid unless they are given.
func read(row values: [String: String], delimiter: String = ",", options: OrderFileReader.Options = .test()) -> ReadOutcome {
    let required = ["title": "Milk", "price": "42.50", "currency": "EUR", "address": "Main Street 1"]
    let all = required.merging(values) { $1 }.sorted { $0.key < $1.key }
    let cells = all.map { "\"\($0.value.replacing("\"", with: "\"\""))\"" }
    return read("\(all.map(\.key).joined(separator: delimiter))\n\(cells.joined(separator: delimiter))\n", options: options)
}

extension [UInt8] {
    /// The text in UTF-16.
    static func utf16(_ text: String, isLittleEndian: Bool) -> [UInt8] {
        text.utf16.flatMap { unit in
            let bytes = [UInt8(unit & 0xFF), UInt8(unit >> 8)]
            return isLittleEndian ? bytes : bytes.reversed()
        }
    }

    /// The bytes in parts of a size.
    func parts(of size: Int) -> [[UInt8]] {
        stride(from: 0, to: count, by: size).map { [UInt8](self[$0..<Swift.min($0 + size, count)]) }
    }

    /// The bytes in parts of random sizes.
    func randomParts(_ random: inout SplitMix64) -> [[UInt8]] {
        var parts: [[UInt8]] = []
        var start = 0
        while start < count {
            let end = Swift.min(count, start + random.integer(in: 1...Swift.max(1, random.integer(in: 1...count))))
            parts.append([UInt8](self[start..<end]))
            start = end
        }
        return parts
    }
}

/// The seed of a randomised test.
enum TestSeed {
    /// Returns a random seed, or that of `LADING_SEED`, and prints it.
    static func next(for purpose: String) -> UInt64 {
        let seed = ProcessInfo.processInfo.environment["LADING_SEED"].flatMap { UInt64($0) } ?? .random(in: 1...UInt64(UInt32.max))
        print("\(purpose): LADING_SEED=\(seed)")
        return seed
    }
}
