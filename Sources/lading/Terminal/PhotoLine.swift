import Foundation
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
        writer.field("image", photo.image.absoluteString)
        writer.field("rover", photo.rover.name)
        writer.field("sol", number: photo.sol.number)
        writer.field("thumbnail", photo.thumbnail?.absoluteString)
    }
}

// MARK: - As a table

extension PhotoLine {
    static func table(_ lines: [PhotoLine]) -> String {
        TextTable(
            ["Id", "Camera", "Date", lines.contains { $0.file != nil || $0.error != nil } ? "File" : "Address"],
            lines.map { line in
                let place = line.error.map { "failed: \($0)" } ?? line.file?.path ?? line.photo.image.absoluteString
                return [line.photo.id.key, line.photo.camera.name, line.photo.earthDate?.description ?? "", place]
            }
        ).text
    }
}
