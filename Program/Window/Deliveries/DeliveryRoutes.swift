import Deliveries
import Foundation
import HTTPTypes
import Hummingbird
import LadingRecords

/// The pages of the deliveries: the list, a delivery, and the images.
struct DeliveryRoutes: AppRoutes {
    /// The placeholder for unavailable images: a parcel, in a gray for light and dark mode.
    private static let placeholder = ImageLoader.LoadedImage(
        mediaType: "image/svg+xml",
        bytes: Array(
            """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="-12 -12 48 48" fill="none" stroke="#8795a1" stroke-width="1.7" \
            stroke-linejoin="round"><path d="M3.5 7.5 12 3l8.5 4.5v9L12 21l-8.5-4.5zM3.5 7.5 12 12l8.5-4.5M12 12v9M7.7 5.2l8.6 4.6"/></svg>
            """.utf8))

    let repository: DeliveryRepository
    let pages: PageDependencies

    func add(to router: Router<WindowContext>) {
        router.get("/deliveries") { request, _ in try await list(request) }
        router.get("/deliveries/:id") { request, context in try await delivery(request, context.delivery) }
        FavouriteRoutes(repository: repository).add(to: router)
        router.get("/deliveries/:id/picture") { request, context in
            try await image(of: context.delivery, version: request.uri.queryParameters["v"].map(String.init))
        }
    }

    func screen(_ description: PageDescription, in language: Language, token: String?) async throws -> (any WindowScreen)? {
        switch description.screen {
        case "deliveries":
            await DeliveryListScreen(
                repository, contexts(in: language), pages.renderer, first: description.visible(atMost: ListQuery.rowsPerPage),
                topRow: description.row.map { DeliveryID($0) }, query: description.query)
        case "delivery": try await deliveryScreen(DeliveryID(description.row ?? ""), in: language)
        default: nil
        }
    }

    private func deliveryScreen(_ id: DeliveryID, in language: Language) async throws -> DeliveryScreen {
        guard let record = try await repository.store.record(of: id) else { throw PageError.noSuchDelivery }
        return DeliveryScreen(record, repository, contexts(in: language), pages.renderer)
    }

    private func contexts(in language: Language) -> DeliveryContexts {
        DeliveryContexts(
            texts: Texts(language), timeZone: repository.timeZone, mapSource: pages.mapSource, now: repository.now,
            failedImages: repository.images.failedImages)
    }
}

extension WindowContext {
    /// The delivery in the path.
    var delivery: DeliveryID {
        get throws {
            let component = try parameters.require("id")
            return DeliveryID(component.removingPercentEncoding ?? component)
        }
    }
}

// MARK: - The list

extension DeliveryRoutes {
    private func list(_ request: Request) async throws -> Response {
        let query = ListQuery("/deliveries", request.uri.query)
        let rows = query.from..<(query.from + ListQuery.rowsPerPage)
        let screen = await DeliveryListScreen(
            repository, contexts(in: request.language), pages.renderer, first: rows, query: query.requestedQuery)
        if request.wantsPlainPage {
            defer { screen.stop() }
            await screen.wait(atMost: RenderTimeout.withoutScripts, on: pages.clock) { $0.hasFinishedLoading(in: rows) }
            return await page(screen, query, in: request.language, sessionID: nil)
        }
        await screen.wait(atMost: RenderTimeout.withScripts, on: pages.clock) { $0.hasRows }
        return await page(screen, query, in: request.language, sessionID: pages.sessions.openRendered(screen).id)
    }

    /// Renders the page of a list.
    ///
    /// - Parameter sessionID: The id of the session; nil for a plain page.
    private func page(_ screen: DeliveryListScreen, _ query: ListQuery, in language: Language, sessionID: String?) async -> Response {
        var contexts = contexts(in: language)
        contexts.near = repository.near
        let (texts, isPlain) = (contexts.texts, sessionID == nil)
        let sorts = await repository.availableSorts()
        let state = screen.stateForRendering()
        let range = query.range(of: state.rows.count, isPlain: isPlain)
        let labels = screen.labels(for: state)
        var context = TemplateContext.List(
            screen: "deliveries", query: query, heading: labels.title, label: texts.strings.deliveries,
            searchHint: texts.strings.deliverySearchHint, sorts: sorts.map { TemplateContext.Sort($0, texts.strings) },
            busy: state.isBusy,
            problem: state.status.reason ?? (isPlain ? state.notices.first.map { PageProblem(text: $0.text, details: "") } : nil),
            range: isPlain && !range.isEmpty ? texts.range(range, of: state.rows.count) : nil,
            note: noteWithAge(labels.note, state, texts), fetchedAt: state.storedAt, empty: labels.empty, sessionID: sessionID,
            list: state.listRevision,
            count: state.rows.count, size: state.size, from: range.lowerBound,
            rows: range.compactMap { index in state.rows.snapshot[index].map { row($0, at: index, size: state.size, contexts) } },
            hasNext: range.upperBound < state.rows.count || state.size < 0,
            footer: isPlain && range.upperBound == state.rows.count ? screen.footer(for: state) : nil, texts: texts.strings)
        context.near = repository.near?.description
        return .page(
            pages.renderer.page(
                .deliveries, context, title: context.heading, in: language, plainURL: isPlain ? nil : query.plainURL(from: query.from),
                isPlain: isPlain),
            in: language)
    }

    /// Returns a note with the age of the list inserted; scripts insert it themselves from the first event on.
    private func noteWithAge(_ note: String?, _ state: DeliveryListScreen.State, _ texts: Texts) -> String? {
        guard let storedAt = state.storedAt else { return note }
        let stored = Date(timeIntervalSince1970: Double(storedAt) / 1_000)
        return note?.replacing("{age}", with: texts.age(of: stored, at: repository.now()))
    }

    private func row(
        _ record: StoredRecord<Delivery>, at index: Int, size: Int, _ contexts: DeliveryContexts
    ) -> TemplateContext.DeliveryRow {
        var row = contexts.row(DeliveryContent(record))
        (row.index, row.position, row.size, row.odd) = (index, index + 1, size, !index.isMultiple(of: 2))
        return row
    }
}

extension TemplateContext.Sort {
    fileprivate init(_ sort: DeliverySort, _ texts: LocalizedStrings) {
        let (icon, text) =
            switch sort {
            case .title: ("orders", texts.sortTitle)
            case .address: ("pin", texts.address)
            case .pickup: ("clock", texts.sortPickup)
            case .fee: ("price", texts.sortFee)
            case .feeDescending: ("price", texts.sortFeeDescending)
            case .nearest: ("pin", texts.sortNearest)
            }
        self.init(value: sort.rawValue, icon: icon, text: text, opposite: sort == .fee ? DeliverySort.feeDescending.rawValue : nil)
    }
}

// MARK: - One delivery

extension DeliveryRoutes {
    private func delivery(_ request: Request, _ id: DeliveryID) async throws -> Response {
        let screen = try await deliveryScreen(id, in: request.language)
        if request.wantsPlainPage {
            defer { screen.stop() }
            return page(screen, id, in: request.language, sessionID: nil)
        }
        return page(screen, id, in: request.language, sessionID: pages.sessions.openRendered(screen).id)
    }

    private func page(_ screen: DeliveryScreen, _ id: DeliveryID, in language: Language, sessionID: String?) -> Response {
        let (record, version) = screen.content
        let context = contexts(in: language).page(record, version: version, sessionID: sessionID ?? "")
        return .page(
            pages.renderer.page(
                .delivery, context, title: context.title, in: language,
                plainURL: sessionID.map { _ in "/deliveries/\(id.description.percentEncodedComponent)?plain=1" }, isPlain: sessionID == nil),
            in: language)
    }

    /// Returns an image or the placeholder: an unavailable image does not fail the page, and is requested again later.
    private func image(of id: DeliveryID, version: String?) async throws -> Response {
        guard let delivery = try await repository.store.record(of: id)?.row else { throw PageError.noSuchDelivery }
        guard let url = delivery.imageURL, let picture = try? await repository.image(at: url) else {
            // Browsers show it; caches detect the placeholder by its status.
            var placeholder = Response.image(Self.placeholder, cacheControl: "no-store")
            placeholder.status = .nonAuthoritativeInformation
            return placeholder
        }
        // The image for an older page must not be cached under the URL of another image.
        let isSame = version == url.absoluteString.fingerprint
        return .image(picture, cacheControl: isSame ? "private, max-age=86400" : "no-store")
    }
}
