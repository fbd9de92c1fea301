import Foundation
import JSONWriting
import LadingHTTP
import MarsPhotos

/// A photo to print, with its file or the reason of its failure.
struct PhotoLine: Sendable {
    let photo: MarsPhoto
    /// The saved file; nil when it was not saved.
    var file: URL?
    var error: String?
}

// MARK: - JSON

extension PhotoLine {
    /// Returns photos as one line of JSON, with their keys in alphabetical order.
    static func json(_ lines: [PhotoLine]) -> String {
        var writer = JSONWriter(.short)
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

// MARK: - Table

extension PhotoLine {
    /// Returns photos as a table.
    ///
    /// - Parameter width: The width of the terminal in columns; nil when the table is not shown on one.
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
        let fileOrURL = file?.path ?? photo.image.redacted
        return TextTable.Row(
            cells: [photo.id.key, photo.camera.name, photo.earthDate?.description ?? ""] + (error == nil ? [fileOrURL] : []),
            note: error.map { "failed: \($0)" })
    }
}
