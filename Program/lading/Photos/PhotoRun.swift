import Foundation
import LadingOperations
import MarsPhotos

/// An invocation of `lading photos`: lists a sol, optionally saves its photos, prints them.
struct PhotoRun: Sendable {
    var query: SolQuery
    var source: any PhotoSource
    /// The directory in which photos are saved; nil saves none.
    var directory: URL?
    var isJSON: Bool
    /// The advice for users when the server cannot be reached.
    var hint: String

    func perform(on queue: BackendQueue) async throws {
        let (sol, lines) = try await load(on: queue)
        if sol.skipped > 0 { Self.printNotice("skipped \(sol.skipped) invalid photos") }
        guard !sol.photos.isEmpty else { return try await reportEmptyResult(on: queue) }
        Terminal.output.write(isJSON ? PhotoLine.json(lines) : PhotoLine.table(lines, width: Terminal.output.tableWidth))
        let failures = lines.count { $0.error != nil }
        if failures > 0 { throw ProgramFailure(message: "\(failures) of \(lines.count) photos could not be saved.") }
    }

    private func load(on queue: BackendQueue) async throws -> (SolPhotos, [PhotoLine]) {
        var bar = ProgressBar("Photos")
        defer { bar.clear() }
        let sol = try await list(on: queue)
        return (sol, try await save(sol.photos, on: queue, with: &bar))
    }

    private func list(on queue: BackendQueue) async throws -> SolPhotos {
        do {
            return try await queue.value(of: source.photos(of: query), priority: .visible)
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            guard case PhotoError.unknownRover = OperationError.rootCause(of: error) else { throw ProgramFailure(error, hint: hint) }
            throw ProgramFailure(message: "\(OperationError.rootCause(of: error)): list the rovers with \"lading rovers\"")
        }
    }

    private func save(_ photos: [MarsPhoto], on queue: BackendQueue, with bar: inout ProgressBar) async throws -> [PhotoLine] {
        guard !photos.isEmpty, let directory else { return photos.map { PhotoLine(photo: $0) } }
        return try await PhotoWriter(source: source, queue: queue, folder: PhotoFolder(directory)).save(photos, with: &bar)
    }

    // MARK: Empty results

    /// Reports why there are no photos, and which sols or cameras have some.
    private func reportEmptyResult(on queue: BackendQueue) async throws {
        if isJSON { Terminal.output.write("[]\n") }
        let manifest = try? await queue.value(of: source.manifest(of: query.rover), priority: .visible)
        try Task.checkCancellation()
        if let manifest = manifest ?? nil {
            try reportAlternatives(in: manifest)
        } else {
            let adjacentSols = try? await queue.value(of: source.adjacentSols(to: query.sol, of: query.rover), priority: .visible)
            try Task.checkCancellation()
            Self.printNotice(Self.emptyResultMessage(query) + Self.text(of: adjacentSols ?? AdjacentSols()))
        }
    }

    private func reportAlternatives(in manifest: RoverManifest) throws {
        let cameras = manifest.profile.cameras.map(\.name)
        if let camera = query.camera, !cameras.isEmpty, !cameras.contains(camera) {
            throw ProgramFailure(message: "\(manifest.profile.title) has no camera \(camera): use \(cameras.joined(separator: ", "))")
        }
        if let last = manifest.entries.last?.sol, query.sol > last {
            throw ProgramFailure(message: "the last sol with photos of \(manifest.profile.title) is \(last): use --sol \(last)")
        }
        if query.camera != nil, let entry = manifest[query.sol] {
            Self.printNotice(Self.emptyResultMessage(query) + "; cameras with photos: \(entry.cameras.joined(separator: ", "))")
        } else {
            Self.printNotice(Self.emptyResultMessage(query) + Self.text(of: manifest.adjacentSols(to: query.sol)))
        }
    }

    private static func emptyResultMessage(_ query: SolQuery) -> String {
        "\(query.rover.title) has no photos \(query.camera.map { "of \($0) " } ?? "")on sol \(query.sol)"
    }

    private static func text(of adjacentSols: AdjacentSols) -> String {
        let sols = [adjacentSols.previous, adjacentSols.next].compactMap { $0?.description }
        return sols.isEmpty ? "" : "; nearest sols with photos: \(sols.joined(separator: " and "))"
    }

    private static func printNotice(_ text: String) { Terminal.error.write("lading: \(text.oneLine)\n") }
}
