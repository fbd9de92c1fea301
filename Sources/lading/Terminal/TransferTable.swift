import Foundation
import LadingHTTP

/// Transfers as a table for people, or as JSON.
struct TransferTable {
    private let transfers: [FileTransfer]

    init(_ transfers: [FileTransfer]) {
        self.transfers = transfers
    }

    var text: String {
        guard !transfers.isEmpty else { return "There are no transfers.\n" }
        let rows = [["Id", "Direction", "Status", "Done", "Size", "File"]] + transfers.map(Self.cells)
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            let cells = zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
            return cells.joined(separator: "  ").trimmingCharacters(in: .whitespaces) + "\n"
        }.joined()
    }

    private static func cells(_ transfer: FileTransfer) -> [String] {
        let share =
            transfer.total.map { $0 == 0 ? "100 %" : "\(transfer.completed * 100 / $0) %" } ?? TransferMeter.size(transfer.completed)
        let reason = transfer.reason.map { ": \($0.oneLine)" } ?? ""
        return [
            transfer.id.rawValue, transfer.direction.rawValue, transfer.status.rawValue, share,
            transfer.total.map(TransferMeter.size) ?? "?",
            transfer.file.path(percentEncoded: false).oneLine + reason,
        ]
    }

    /// One line of JSON with its keys in order.
    static func json(_ transfers: [FileTransfer]) -> String {
        var writer = JSONWriter()
        writer.array(transfers) { transfer, writer in
            writer.object { writer in
                writer.field("completed", number: transfer.completed)
                writer.field("direction", transfer.direction.rawValue)
                writer.field("error", transfer.reason)
                writer.field("file", transfer.file.path(percentEncoded: false))
                writer.field("id", transfer.id.rawValue)
                writer.field("status", transfer.status.rawValue)
                writer.field("total", number: transfer.total)
                writer.field("url", transfer.remote.absoluteString)
            }
        }
        return writer.text + "\n"
    }
}
