import Foundation
import LadingFeeds
import MarsPhotos

/// A factory of the template contexts of photos, for cells, grids and photo pages, in one language.
struct PhotoContexts: Sendable {
    let texts: Texts

    // MARK: Texts

    func title(of query: SolQuery) -> String { "\(query.rover.title) · \(texts.sol(query.sol))" }

    /// Returns the date on Earth and the number of photos.
    ///
    /// - Parameter skipped: The number of invalid entries in the list.
    func note(of photos: [MarsPhoto], skipped: Int, _ query: SolQuery, _ manifest: RoverManifest?) -> String? {
        guard !photos.isEmpty else { return skipped > 0 ? texts.skippedPhotos(skipped) : nil }
        let day = (photos.first?.earthDate ?? manifest?[query.sol]?.earthDate).map(texts.day)
        return [day, texts.photos(photos.count), query.camera, skipped > 0 ? texts.skippedPhotos(skipped) : nil].compactMap(\.self).joined(
            separator: " · ")
    }

    /// Returns the message for an empty list, with a suggestion.
    func emptyMessage(of query: SolQuery, _ manifest: RoverManifest?) -> String {
        let (rover, sol) = (query.rover.title, texts.sol(query.sol))
        if let last = manifest?.entries.last?.sol, last < query.sol { return texts.solAfterLast(sol, of: rover, last: texts.sol(last)) }
        return query.camera.map { texts.noPhotos(rover, sol, of: $0) } ?? texts.noPhotos(rover, sol)
    }

    // MARK: Rovers

    func summary(_ profile: RoverProfile) -> TemplateContext.RoverSummary {
        TemplateContext.RoverSummary(
            href: profile.maxSol.map { SolQuery(profile.rover, sol: $0).href } ?? "/photos/\(profile.rover)",
            title: profile.title.truncated(to: 60), status: profile.status.map(status), landingDate: profile.landingDate.map(texts.day),
            latest: profile.maxSol?.description, total: profile.totalPhotos.map(texts.photos))
    }

    private func status(_ status: String) -> String {
        switch status.lowercased() {
        case "active": texts.strings.roverActive
        case "complete": texts.strings.roverComplete
        default: status.truncated(to: 60)
        }
    }

    // MARK: Cells

    /// Returns the cell of a photo without its position, which an event has separately.
    ///
    /// - Parameters:
    ///   - percent: The loaded part of the photo, in percent.
    ///   - index: The first cell of a reloaded page that shows the cell again.
    ///   - query: The query of the grid.
    func cell(
        _ photo: MarsPhoto, _ state: FeedRowState<PhotoCell>, _ percent: Int?, at index: Int, of query: SolQuery
    ) -> TemplateContext.PhotoCell {
        let cell: PhotoCell? = state.row
        var (failed, retrying): (TemplateContext.Failure?, TemplateContext.RetryNotice?)
        switch state {
        case .failed(let error): failed = failure(photo, error, at: index)
        case .retrying(let error):
            let problem = texts.problem(for: error, subject: .photo)
            retrying = TemplateContext.RetryNotice(title: "", problem: problem.text, details: problem.details)
        case .idle, .loading, .loaded, .stale: break
        }
        return self.cell(
            photo, state.name, of: query, image: cell.map { image(of: photo, $0, in: query) }, busy: cell == nil && failed == nil,
            percent: retrying == nil ? percent : nil,
            retrying: retrying, failed: failed)
    }

    /// Returns the cell of a photo on a page without scripts, whose image the browser loads lazily.
    func plainCell(_ photo: MarsPhoto, of query: SolQuery) -> TemplateContext.PhotoCell {
        let image = TemplateContext.CellImage(
            small: photo.imagePath(side: PhotoImageLoader.thumbnailSides[0], in: query),
            large: photo.imagePath(side: PhotoImageLoader.thumbnailSides[1], in: query),
            lazy: true)
        return cell(photo, "loaded", of: query, image: image, busy: false)
    }

    private func image(of photo: MarsPhoto, _ cell: PhotoCell, in query: SolQuery) -> TemplateContext.CellImage {
        TemplateContext.CellImage(
            small: photo.imagePath(side: PhotoImageLoader.thumbnailSides[0], version: cell.digest, in: query),
            large: photo.imagePath(side: PhotoImageLoader.thumbnailSides[1], version: cell.digest, in: query), lazy: false)
    }

    private func cell(
        _ photo: MarsPhoto, _ state: String, of query: SolQuery, image: TemplateContext.CellImage?, busy: Bool, percent: Int? = nil,
        retrying: TemplateContext.RetryNotice? = nil, failed: TemplateContext.Failure? = nil
    ) -> TemplateContext.PhotoCell {
        TemplateContext.PhotoCell(
            id: "\(photo.id)", elementID: "\(photo.id)".percentEncodedComponent, state: state, href: photo.href + query.cameraField,
            label: "\(texts.photo(photo.id.key.truncated(to: 80))), \(photo.camera.fullName.truncated(to: 80))",
            caption: photo.camera.name.truncated(to: 40), image: image, busy: busy, percent: percent, retrying: retrying, failed: failed,
            texts: texts.strings)
    }

    private func failure(_ photo: MarsPhoto, _ error: any Error, at index: Int) -> TemplateContext.Failure {
        let problem = texts.problem(for: error, subject: .photo)
        return TemplateContext.Failure(
            title: texts.photo(photo.id.key.truncated(to: 80)), problem: problem.text, details: problem.details,
            action: SolQuery(photo.rover, sol: photo.sol).href, fields: [.init(name: "from", value: "\(index)")])
    }

    // MARK: Sol choice

    /// Returns the choice of sols and cameras for a grid.
    ///
    /// - Parameters:
    ///   - photos: The known photos of the sol.
    ///   - manifest: The manifest; nil while it is unknown, and where there is none.
    func choice(_ query: SolQuery, photos: [MarsPhoto], _ manifest: RoverManifest?) -> TemplateContext.SolChoice {
        let adjacentSols = manifest?.adjacentSols(to: query.sol)
        func link(_ direction: String, _ sol: Sol?) -> String? {
            guard adjacentSols != nil else { return SolQuery(query.rover, sol: query.sol).href + "/" + direction + query.cameraField }
            return sol.map { SolQuery(query.rover, sol: $0, camera: query.camera).href }
        }
        return TemplateContext.SolChoice(
            rover: query.rover.name, path: "/photos/\(query.rover)", sol: "\(query.sol)",
            date: (photos.first?.earthDate ?? manifest?[query.sol]?.earthDate)?.description ?? "", camera: query.camera ?? "",
            previous: link("previous", adjacentSols?.previous), next: link("next", adjacentSols?.next),
            cameras: cameras(query, photos, manifest), texts: texts.strings)
    }

    /// Returns the choice of all cameras, and of those with photos; the selected camera is included even without photos.
    private func cameras(_ query: SolQuery, _ photos: [MarsPhoto], _ manifest: RoverManifest?) -> [TemplateContext.CameraChoice] {
        let listed = manifest?[query.sol]?.cameras.map { Camera($0) } ?? []
        let available = listed.isEmpty ? photos.map(\.camera) : listed
        var seen: Set<String> = []
        let chosen = query.camera.map { [Camera($0)] } ?? []
        let distinct = (available + chosen).filter { seen.insert($0.name).inserted }.sorted { $0.name < $1.name }
        let all = TemplateContext.CameraChoice(
            href: SolQuery(query.rover, sol: query.sol).href, name: texts.strings.allCameras, title: "", isOn: query.camera == nil)
        return [all]
            + distinct.prefix(Self.cameraLimit).map { camera in
                TemplateContext.CameraChoice(
                    href: SolQuery(query.rover, sol: query.sol, camera: camera.name).href, name: camera.name.truncated(to: 40),
                    title: camera.fullName.truncated(to: 80), isOn: camera.name == query.camera)
            }
    }

    /// The maximum number of cameras to choose from.
    private static let cameraLimit = 60

    // MARK: Photo page

    /// Returns the context of the page of a photo.
    ///
    /// - Parameters:
    ///   - cell: The cell of the photo, whose thumbnail is the preview; nil when it is not loaded.
    ///   - day: The date of the sol, for a photo without a date.
    func page(
        _ photo: MarsPhoto, _ cell: PhotoCell?, day: EarthDate?, previous: MarsPhoto?, next: MarsPhoto?, from query: SolQuery
    ) -> TemplateContext.Photo {
        let name = photo.fileName
        return TemplateContext.Photo(
            backURL: query.href, heading: title(of: query), title: texts.photo(photo.id.key.truncated(to: 80)),
            imageURL: photo.imagePath(side: nil, version: photo.image.absoluteString.fingerprint, in: query),
            preview: cell.map { photo.imagePath(side: PhotoImageLoader.cellSide, version: $0.digest, in: query) }, fileName: name,
            saveQuestion: texts.saveQuestion(name), previous: previous.map { $0.href + query.cameraField },
            next: next.map { $0.href + query.cameraField },
            adjacentImageURLs: [next, previous].compactMap {
                $0.map { $0.imagePath(side: nil, version: $0.image.absoluteString.fingerprint, in: query) }
            }
            .joined(separator: " "),
            detailItems: detailItems(of: photo, day: photo.earthDate ?? day), texts: texts.strings)
    }

    private func detailItems(of photo: MarsPhoto, day: EarthDate?) -> [TemplateContext.DetailItem] {
        let plain = texts.strings
        let items: [(String, String, String?)] = [
            ("rover", plain.rover, photo.rover.title), ("clock", plain.solNumber, texts.sol(photo.sol)),
            ("globe", plain.earthDay, day.map(texts.day)),
            ("camera", plain.camera, "\(photo.camera.fullName) (\(photo.camera.name))".truncated(to: 120)),
        ]
        return items.compactMap { icon, name, text in text.map { TemplateContext.DetailItem(icon: icon, name: name, text: $0) } }
    }
}

extension SolQuery {
    /// The path of the sol's page.
    var href: String { "/photos/\(rover)/\(sol)\(cameraField)" }

    /// The camera as the query of a URL; empty for all cameras.
    var cameraField: String { camera.map { "?camera=\($0.percentEncodedComponent)" } ?? "" }
}

extension MarsPhoto {
    /// The path of the photo's page.
    var href: String { "/photos/\(rover)/\(sol)/\(id.key.percentEncodedComponent)" }

    /// Returns the path of the image, with a side from `PhotoImageLoader.thumbnailSides` or in full size.
    ///
    /// - Parameters:
    ///   - side: The side of a thumbnail, in pixels; nil for the full image.
    ///   - version: A value that differs between images, so that caches never mix them.
    ///   - query: The query whose list contains the photo.
    func imagePath(side: Int?, version: String? = nil, in query: SolQuery) -> String {
        let camera = query.camera.map { "camera=\($0.percentEncodedComponent)" }
        let fields = [side.map { "size=\($0)" }, version.map { "v=\($0)" }, camera].compactMap(\.self)
        return "\(href)/picture" + (fields.isEmpty ? "" : "?" + fields.joined(separator: "&"))
    }

    /// The file name for saving: letters, digits and hyphens only, regardless of the service's id.
    var fileName: String {
        let key = String(id.key.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" }).prefix(80)
        let ending = image.pathExtension.lowercased()
        return "\(rover)-sol-\(sol)-\(key)." + (["png", "gif", "webp"].contains(ending) ? ending : "jpg")
    }
}
