import Foundation
import JSONWriting
import LadingHTTP
import LadingTransfers

/// A table of transfers.
struct TransferTable {
    private static let columns: [TextTable.Column] = [
        .init(title: "Id"), .init(title: "Direction"), .init(title: "Status"), .init(title: "Done", isNumber: true),
        .init(title: "Size", isNumber: true), .init(title: "File", minimumWidth: 16, truncatedEnd: .leading),
    ]

    private let transfers: [FileTransfer]
    private let width: Int?

    /// Creates a table.
    ///
    /// - Parameter width: The width of the terminal in columns; nil when the table is not shown on one.
    init(_ transfers: [FileTransfer], width: Int?) {
        self.transfers = transfers
        self.width = width
    }

    var text: String {
        guard !transfers.isEmpty else { return "No transfers.\n" }
        var table = TextTable(Self.columns, width: width)
        return table.text(of: transfers.map(Self.row))
    }

    private static func row(_ transfer: FileTransfer) -> TextTable.Row {
        let share =
            transfer.total.map { $0 == 0 ? "100 %" : "\(transfer.completed * 100 / $0) %" }
            ?? TransferProgressDisplay.size(transfer.completed)
        return TextTable.Row(
            cells: [
                transfer.id.rawValue, transfer.direction.rawValue, transfer.status.rawValue, share,
                transfer.total.map(TransferProgressDisplay.size) ?? "?", transfer.file.path(percentEncoded: false),
            ], note: transfer.reason)
    }

    /// Returns transfers as one line of JSON, with their keys in alphabetical order.
    static func json(_ transfers: [FileTransfer]) -> String {
        var writer = JSONWriter(.short)
        writer.array(transfers) { transfer, writer in
            writer.object { writer in
                writer.field("completed", number: transfer.completed)
                writer.field("direction", transfer.direction.rawValue)
                writer.field("error", transfer.reason)
                writer.field("file", transfer.file.path(percentEncoded: false))
                writer.field("id", transfer.id.rawValue)
                writer.field("status", transfer.status.rawValue)
                writer.field("total", number: transfer.total)
                writer.field("url", transfer.remote.redacted)
            }
        }
        return writer.text + "\n"
    }
}
