import ArgumentParser
import Foundation
import MarsPhotos

/// `lading photos`: prints and saves the photos of one sol.
struct PhotosCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "photos", abstract: "Print or save the photos of a rover on one sol.",
        discussion: """
            A sol is a day on Mars, counted from the landing; not every sol has photos. "lading rovers" lists the rovers and their last \
            sols. Photos that are already in the directory are not fetched again. Photos that could not be saved are printed with the \
            reason; the exit code is then 1.
            """)

    @Option(help: "The name of the rover, such as curiosity.", transform: Rover.init(argument:))
    var rover: Rover

    @Option(parsing: .unconditional, help: "The number of the sol, from 0.", transform: Sol.init(argument:))
    var sol: Sol

    @Option(help: ArgumentHelp("Print only photos of this camera, such as FHAZ.", valueName: "code"))
    var camera: String?

    @Option(help: ArgumentHelp("Save the photos in this directory.", valueName: "dir"))
    var save: String?

    @Flag(help: "Print JSON.")
    var json = false

    @Option(help: ArgumentHelp("The URL of the demo server.", valueName: "url"), transform: WebAddress.init(confidentialArgument:))
    var origin: WebAddress?

    @OptionGroup var photos: PhotoOptions
    @OptionGroup var retries: RetryOptions
    @OptionGroup var engine: EngineOptions

    func run() async throws {
        let (options, retries, photos, origin) = (engine, retries.count, photos, origin?.url)
        let query = SolQuery(rover, sol: sol, camera: camera)
        let (directory, json) = (save.map { URL(filePath: $0, directoryHint: .isDirectory) }, json)
        try await SignalHandling.cancelOnInterrupt {
            try await Engine.with(options, retries: retries, readTimeout: photos.readTimeout) { engine in
                let source = try photos.source(origin: origin, client: engine.client)
                let run = PhotoRun(
                    query: query, source: source, directory: directory, isJSON: json, hint: photos.hint(origin: origin))
                try await run.perform(on: engine.queue)
            }
        }
    }
}

extension Rover {
    fileprivate init(argument text: String) throws {
        guard let rover = Rover(text) else { throw ValidationError("expected the name of a rover, such as curiosity") }
        self = rover
    }
}

extension Sol {
    fileprivate init(argument text: String) throws {
        guard let sol = Sol(text) else { throw ValidationError("expected a number from 0 to \(Sol.limit)") }
        self = sol
    }
}
