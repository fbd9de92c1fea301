import Foundation
import LadingHTTP
import MarsPhotos

/// One photo as it is printed, with its file or why there is none.
struct PhotoLine: Sendable {
    let photo: MarsPhoto
    /// Where it was saved; nil when it was not.
    var file: URL?
    var error: String?
}

// MARK: - As JSON

extension PhotoLine {
    /// Photos as one line of JSON, with their keys in order.
    static func json(_ lines: [PhotoLine]) -> String {
        var writer = JSONWriter()
        writer.array(lines) { line, writer in writer.object { line.write(to: &$0) } }
        return writer.text + "\n"
    }

    private func write(to writer: inout JSONWriter) {
        writer.field("camera", photo.camera.name)
        writer.field("cameraName", photo.camera.fullName)
        writer.field("earthDate", photo.earthDate?.description)
        if let error { writer.field("error", error) }
        if let file { writer.field("file", file.path) }
        writer.field("id", photo.id.key)
        writer.field("image", photo.image.redacted)
        writer.field("rover", photo.rover.name)
        writer.field("sol", number: photo.sol.number)
        writer.field("thumbnail", photo.thumbnail?.redacted)
    }
}

// MARK: - As a table

extension PhotoLine {
    /// - Parameter width: How many columns the terminal has; nil when the table is not shown on one.
    static func table(_ lines: [PhotoLine], width: Int?) -> String {
        let isSaved = lines.contains { $0.file != nil || $0.error != nil }
        var table = TextTable(
            [
                .init(title: "Id", minimumWidth: 8), .init(title: "Camera", minimumWidth: 6), .init(title: "Date"),
                .init(title: isSaved ? "File" : "Address", minimumWidth: 16, truncatedEnd: .leading),
            ], width: width)
        return table.text(of: lines.map(\.row))
    }

    private var row: TextTable.Row {
        let place = file?.path ?? photo.image.redacted
        return TextTable.Row(
            cells: [photo.id.key, photo.camera.name, photo.earthDate?.description ?? ""] + (error == nil ? [place] : []),
            note: error.map { "failed: \($0)" })
    }
}
