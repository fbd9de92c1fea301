import ArgumentParser
import Foundation
import LadingOperations
import MarsPhotos

/// `lading rovers`: prints the rovers of a photo service.
struct RoversCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rovers", abstract: "Print the rovers with photos, and their last sols.")

    @Flag(help: "Print JSON.")
    var json = false

    @Option(help: ArgumentHelp("The URL of the demo server.", valueName: "url"), transform: WebAddress.init(confidentialArgument:))
    var origin: WebAddress?

    @OptionGroup var photos: PhotoOptions
    @OptionGroup var retries: RetryOptions
    @OptionGroup var engine: EngineOptions

    func run() async throws {
        let (options, retries, photos, origin, json) = (engine, retries.count, photos, origin?.url, json)
        try await SignalHandling.cancelOnInterrupt {
            try await Engine.with(options, retries: retries, readTimeout: photos.readTimeout) { engine in
                let source = try photos.source(origin: origin, client: engine.client)
                do {
                    var bar = ProgressBar("Rovers")
                    defer { bar.clear() }
                    let rovers = try await engine.queue.value(of: source.rovers(), priority: .visible)
                    bar.clear()
                    Terminal.output.write(json ? RoverLine.json(rovers) : RoverLine.table(rovers, width: Terminal.output.tableWidth))
                } catch is CancellationError {
                    throw CancellationError()
                } catch {
                    throw ProgramFailure(error, hint: photos.hint(origin: origin))
                }
            }
        }
    }
}
