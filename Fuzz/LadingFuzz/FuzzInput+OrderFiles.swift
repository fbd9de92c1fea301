import Foundation
import OrderFiles
import OrderLifecycle
import OrderStorage

extension FuzzInput {
    /// Reads a file of orders in one part and in two, which has the same results, and imports the orders again that it contains.
    func parseOrderFile() {
        let whole = Self.read([bytes])
        let middle = bytes.count / 2
        precondition(whole == Self.read([Array(bytes[..<middle]), Array(bytes[middle...])]), "the parts of a file do not matter")
        let orders = whole.events.compactMap { event -> ExportedOrder? in
            guard case .order(let row) = event else { return nil }
            return ExportedOrder(id: row.number, externalID: row.externalID, state: .open, content: row.content)
        }
        guard !orders.isEmpty else { return }
        for format in OrderFileFormat.allCases {
            let writer = OrderFileWriter(options: .init(format: format))
            let copy = Self.read([writer.header + orders.flatMap(writer.row)], format: format)
            let contents = copy.events.compactMap { if case .order(let row) = $0 { row.content } else { nil } }
            precondition(contents == orders.map(\.content), "a written file has the same orders")
        }
    }

    private struct Result: Equatable {
        var events: [OrderFileEvent] = []
        var error: OrderFileError?
    }

    private static func read(_ parts: [[UInt8]], format: OrderFileFormat? = nil) -> Result {
        var result = Result()
        var reader = OrderFileReader(options: .init(format: format, timeZone: .gmt, defaultCurrency: "EUR"))
        do throws(OrderFileError) {
            for part in parts { try reader.read(part.span) { result.events.append($0) } }
            try reader.finish { result.events.append($0) }
        } catch {
            result.error = error
        }
        return result
    }
}
