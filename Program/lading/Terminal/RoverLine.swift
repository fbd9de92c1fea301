import Foundation
import JSONWriting
import MarsPhotos

/// The output formats of rovers.
enum RoverLine {
    /// Returns rovers as one line of JSON, with their keys in alphabetical order.
    static func json(_ rovers: [RoverProfile]) -> String {
        var writer = JSONWriter(.short)
        writer.array(rovers) { rover, writer in writer.object { write(rover, to: &$0) } }
        return writer.text + "\n"
    }

    private static func write(_ rover: RoverProfile, to writer: inout JSONWriter) {
        writer.field("cameras", array: rover.cameras) { camera, writer in
            writer.object { writer in
                writer.field("fullName", camera.fullName)
                writer.field("name", camera.name)
            }
        }
        writer.field("landingDate", rover.landingDate?.description)
        writer.field("launchDate", rover.launchDate?.description)
        writer.field("maxDate", rover.maxDate?.description)
        writer.field("maxSol", number: rover.maxSol?.number)
        writer.field("name", rover.rover.name)
        writer.field("status", rover.status)
        writer.field("title", rover.title)
        writer.field("totalPhotos", number: rover.totalPhotos)
    }

    /// Returns rovers as a table.
    ///
    /// - Parameter width: The width of the terminal in columns; nil when the table is not shown on one.
    static func table(_ rovers: [RoverProfile], width: Int?) -> String {
        var table = TextTable(
            [
                .init(title: "Rover", minimumWidth: 8), .init(title: "Status", minimumWidth: 8), .init(title: "Landing"),
                .init(title: "Last sol", isNumber: true), .init(title: "Photos", isNumber: true), .init(title: "Cameras", minimumWidth: 12),
            ], width: width)
        return table.text(of: rovers.map(row))
    }

    private static func row(_ rover: RoverProfile) -> TextTable.Row {
        TextTable.Row(cells: [
            rover.rover.name, rover.status ?? "", rover.landingDate?.description ?? "", rover.maxSol?.description ?? "",
            rover.totalPhotos?.description ?? "", rover.cameras.map(\.name).joined(separator: " "),
        ])
    }
}
