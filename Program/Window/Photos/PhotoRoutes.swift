import Foundation
import HTTPTypes
import Hummingbird
import LadingFeeds
import MarsPhotos
import Synchronization

/// The pages of the photos: the rovers, the photos of a sol, and a photo.
struct PhotoRoutes: AppRoutes {
    /// The number of cells in the HTML of a grid, which is the page length without scripts.
    static let photosPerPage = 48
    /// The number of cells loaded before the page reports its viewport.
    private static let firstPhotoCount = 12

    let repository: PhotoRepository
    let pages: PageDependencies

    func add(to router: Router<WindowContext>) {
        router.get("/photos") { request, _ in await rovers(request) }
        router.get("/photos/:rover") { request, context in try await redirectToSol(request, context.rover) }
        router.get("/photos/:rover/:sol") { request, context in try await grid(request, context.query(request)) }
        router.get("/photos/:rover/:sol/previous") { request, context in
            try await redirectToAdjacentSol(context.query(request)) { $0.previous }
        }
        router.get("/photos/:rover/:sol/next") { request, context in
            try await redirectToAdjacentSol(context.query(request)) { $0.next }
        }
        router.get("/photos/:rover/:sol/:photo") { request, context in try await photo(request, context.photo, context.query(request)) }
        PhotoImageRoutes(repository: repository).add(to: router)
    }

    func screen(_ description: PageDescription, in language: Language, token: String?) async throws -> (any WindowScreen)? {
        guard description.screen == "photos" else { return nil }
        guard let rover = description.rover.flatMap(Rover.init), let sol = description.sol.flatMap(Sol.init) else {
            throw PageError.noSuchScreen
        }
        return PhotoGridScreen(
            repository, SolQuery(rover, sol: sol, camera: description.camera), PhotoContexts(texts: Texts(language)), pages.renderer,
            first: description.visible(atMost: Self.photosPerPage), topRow: description.row.flatMap { MarsPhotoID($0) })
    }
}

extension WindowContext {
    /// The rover in the path.
    fileprivate var rover: Rover {
        get throws {
            guard let rover = Rover(try parameters.require("rover")) else { throw PageError.noSuchRover }
            return rover
        }
    }

    /// Returns the query in the path and the query string.
    fileprivate func query(_ request: Request) throws -> SolQuery {
        guard let sol = Sol(try parameters.require("sol")) else { throw PageError.noSuchSol }
        return SolQuery(try rover, sol: sol, camera: FormFields(request.uri.query ?? "")["camera"])
    }

    /// The photo in the path.
    var photo: MarsPhotoID {
        get throws {
            guard let sol = Sol(try parameters.require("sol")) else { throw PageError.noSuchSol }
            let component = try parameters.require("photo")
            let text = "\(try rover)/\(sol)/\(component.removingPercentEncoding ?? component)"
            guard let id = MarsPhotoID(text) else { throw PageError.noSuchPhoto }
            return id
        }
    }
}

// MARK: - Rovers and sols

extension PhotoRoutes {
    /// Returns the page of rovers; the well-known ones while no list is available, as they have not changed for years.
    private func rovers(_ request: Request) async -> Response {
        let contexts = PhotoContexts(texts: Texts(request.language))
        let lastRetryError = LastRetryError()
        let outcome = await resultWithinTimeout { try await repository.rovers(onRetry: lastRetryError.record) }
        let fetched = try? outcome?.get()
        let stored = fetched == nil ? await repository.archivedRovers() : nil
        let profiles = fetched ?? stored?.value ?? Rover.all.map { RoverProfile($0) }
        var error = lastRetryError.error
        if case .failure(let failure) = outcome { error = failure }
        let failure = fetched == nil ? error : nil
        let problem = failure.map { contexts.texts.problem(for: $0, subject: .photos) }
        let context = TemplateContext.Rovers(
            cards: profiles.map(contexts.summary), error: problem?.text, details: problem?.details,
            stored: stored.map { contexts.texts.storedAge(since: $0.date, now: repository.now()) }, texts: contexts.texts.strings)
        let page = pages.renderer.page(.rovers, context, title: contexts.texts.strings.photos, in: request.language)
        return Response.page(page, in: request.language).reloading(after: failure)
    }

    /// Redirects to the sol in a form, by its number or date, or else to the last sol.
    private func redirectToSol(_ request: Request, _ rover: Rover) async throws -> Response {
        let fields = FormFields(request.uri.query ?? "")
        let camera = fields["camera"]
        if let number = fields["sol"] {
            guard let sol = Sol(number.filter { !$0.isWhitespace }) else { throw PageError.noSuchSol }
            return .redirect(to: SolQuery(rover, sol: sol, camera: camera).href)
        }
        if let day = fields["date"] {
            guard let date = EarthDate(day), let sol = try await sol(of: rover, on: date) else { throw PageError.noSuchSol }
            return .redirect(to: SolQuery(rover, sol: sol, camera: camera).href)
        }
        guard let last = try await repository.lastSol(of: rover) else { throw PageError.noSuchSol }
        return .redirect(to: SolQuery(rover, sol: last).href)
    }

    /// Returns the sol of a date: from the manifest, or computed from the landing date without one.
    private func sol(of rover: Rover, on date: EarthDate) async throws -> Sol? {
        if let manifest = try await repository.manifest(of: rover) { return manifest.sol(onOrBefore: date) }
        return try await repository.rovers().first { $0.rover == rover }?.sol(on: date)
    }

    private func redirectToAdjacentSol(_ query: SolQuery, _ choose: (AdjacentSols) -> Sol?) async throws -> Response {
        guard let sol = choose(try await repository.adjacentSols(to: query.sol, of: query.rover)) else { throw PageError.noSuchSol }
        return .redirect(to: SolQuery(query.rover, sol: sol, camera: query.camera).href)
    }

    /// Returns the result of a closure within the page's timeout; nil when it takes longer.
    private func resultWithinTimeout<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async -> Result<
        Value, any Error
    >? {
        await withTaskGroup { group in
            group.addTask { () -> Result<Value, any Error>? in
                do { return .success(try await body()) } catch { return .failure(error) }
            }
            group.addTask {
                try? await pages.clock.sleep(for: RenderTimeout.withoutScripts)
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            return first
        }
    }
}

/// The error of the last attempt that was retried.
private final class LastRetryError: Sendable {
    private let last = Mutex<(any Error)?>(nil)

    var error: (any Error)? { last.withLock { $0 } }

    func record(_ error: any Error) { last.withLock { $0 = error } }
}

// MARK: - The photos of a sol

extension PhotoRoutes {
    private func grid(_ request: Request, _ query: SolQuery) async throws -> Response {
        let from = FormFields(request.uri.query ?? "")["from"].flatMap { Int($0) }?.clampedToList ?? 0
        let isPlain = request.wantsPlainPage
        if let known = repository.cachedRovers, !known.contains(where: { $0.rover == query.rover }) { throw PageError.noSuchRover }
        let screen = PhotoGridScreen(
            repository, query, PhotoContexts(texts: Texts(request.language)), pages.renderer,
            first: from..<(from + (isPlain ? 0 : Self.firstPhotoCount)))
        if isPlain {
            defer { screen.stop() }
            await screen.wait(atMost: RenderTimeout.withoutScripts, on: pages.clock) { $0.isReady }
            return page(screen, from: from, in: request.language, sessionID: nil)
        }
        await screen.wait(atMost: RenderTimeout.withScripts, on: pages.clock) {
            $0.controller.hasList && ($0.hasFinishedManifest || $0.manifest != nil)
        }
        return page(screen, from: from, in: request.language, sessionID: pages.sessions.openRendered(screen).id)
    }

    /// Renders the page of a grid.
    ///
    /// - Parameter sessionID: The id of the session; nil for a plain page.
    private func page(_ screen: PhotoGridScreen, from: Int, in language: Language, sessionID: String?) -> Response {
        let list = screen.controller.list
        screen.didRender(list)
        let context = screen.context(of: list, from: from, sessionID: sessionID)
        let plainURL = screen.solPhotos.query.plainURL(from: from)
        return .page(
            pages.renderer.page(
                .photos, context, title: context.heading, in: language, plainURL: sessionID == nil ? nil : plainURL,
                isPlain: sessionID == nil),
            in: language)
    }
}

extension PhotoGridScreen {
    /// Whether the list and the manifest have loaded or failed.
    fileprivate var isReady: Bool { controller.list.hasFinishedLoading && !controller.isRestoring && hasFinishedManifest }

    /// Returns the context of a grid, with the cells of one page.
    ///
    /// - Parameter sessionID: The id of the session; nil for a plain page.
    fileprivate func context(of list: FeedList<MarsPhoto>, from: Int, sessionID: String?) -> TemplateContext.PhotoGrid {
        let (query, photos, texts) = (solPhotos.query, list.snapshot.references, contexts.texts)
        let start = min(from, max(0, photos.count - 1))
        let range = start..<min(photos.count, start + PhotoRoutes.photosPerPage)
        let labels = labels(for: list)
        let isPlain = sessionID == nil
        let problem = list.failure.map { texts.problem(for: $0, subject: .photos) }
        let at = solPhotos.cache.listFetchedAt.map(\.millisecondsSince1970)
        return TemplateContext.PhotoGrid(
            path: query.href, heading: contexts.title(of: query), label: texts.strings.photos, busy: !list.hasFinishedLoading,
            first: TemplateContext.FirstLoad(busy: !list.hasFinishedLoading, count: photos.count, fetchedAt: at),
            error: problem?.text, errorDetails: problem?.details,
            range: isPlain && !range.isEmpty ? texts.range(range, of: photos.count) : nil,
            note: labels.note, fetchedAt: at, empty: labels.empty, sessionID: sessionID ?? "", list: list.revision, count: photos.count,
            size: photos.count,
            from: range.lowerBound,
            rows: range.map { cell(photos[$0], at: $0, of: photos.count, isPlain: isPlain) },
            refresh: .init(action: query.href, fields: isPlain ? query.fields(from: range.lowerBound) : []),
            choice: solChoice(of: list), plain: isPlain,
            previousURL: isPlain && start > 0 ? query.plainURL(from: max(0, start - PhotoRoutes.photosPerPage)) : nil,
            nextURL: isPlain && range.upperBound < photos.count ? query.plainURL(from: range.upperBound) : nil, texts: texts.strings)
    }

    private func cell(_ photo: MarsPhoto, at index: Int, of count: Int, isPlain: Bool) -> TemplateContext.PhotoCell {
        let state = controller.state(of: photo.id)
        var cell =
            isPlain ? contexts.plainCell(photo, of: solPhotos.query) : contexts.cell(photo, state, nil, at: index, of: solPhotos.query)
        (cell.index, cell.position, cell.size) = (index, index + 1, count)
        return cell
    }
}

extension SolQuery {
    /// Returns the hidden fields of a form that shows the same page without scripts.
    fileprivate func fields(from: Int) -> [TemplateContext.Field] {
        [("plain", "1"), ("camera", camera ?? ""), ("from", from == 0 ? "" : "\(from)")].filter { !$0.1.isEmpty }
            .map { TemplateContext.Field(name: $0.0, value: $0.1) }
    }

    fileprivate func plainURL(from: Int) -> String {
        "/photos/\(rover)/\(sol)?" + fields(from: from).map { "\($0.name)=\($0.value.percentEncodedComponent)" }.joined(separator: "&")
    }
}

// MARK: - One photo

extension PhotoRoutes {
    private func photo(_ request: Request, _ id: MarsPhotoID, _ query: SolQuery) async throws -> Response {
        guard let (previous, photo, next) = try await repository.photoWithAdjacentPhotos(id, in: query) else { throw PageError.noSuchPhoto }
        let contexts = PhotoContexts(texts: Texts(request.language))
        let day = photo.earthDate == nil ? await day(of: query) : nil
        let context = contexts.page(photo, repository.sol(query).cache.row(for: id), day: day, previous: previous, next: next, from: query)
        return .page(pages.renderer.page(.photo, context, title: context.title, in: request.language), in: request.language)
    }

    /// Returns the date of a sol from the manifest; nil when it is unknown or takes too long.
    private func day(of query: SolQuery) async -> EarthDate? {
        let manifest = await resultWithinTimeout { try await repository.manifest(of: query.rover) }
        return try? manifest?.get()?[query.sol]?.earthDate
    }
}

extension RoverProfile {
    /// The length of a sol in Earth days.
    private static let earthDays = 1.027_491_25

    /// Returns the sol of a date, computed from the landing date; nil before it, or when it is unknown.
    fileprivate func sol(on date: EarthDate) -> Sol? {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        guard let landing = landingDate?.components, let days = calendar.dateComponents([.day], from: landing, to: date.components).day
        else { return nil }
        return Sol(Int((Double(days) / Self.earthDays).rounded(.down)))
    }
}

extension EarthDate {
    fileprivate var components: DateComponents { DateComponents(year: year, month: month, day: day) }
}
