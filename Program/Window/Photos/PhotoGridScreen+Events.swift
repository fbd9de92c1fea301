import Foundation
import LadingFeeds
import MarsPhotos
import Synchronization

// MARK: - Events

extension PhotoGridScreen {
    /// Records that the page was rendered with a list.
    func didRender(_ list: FeedList<MarsPhoto>) {
        state.withLock { $0.position.didRender(list, isAcknowledged: true) }
    }

    func events(for changes: ChangeLog<MarsPhotoID>.Changes) -> [WindowEvent] {
        let list = controller.list
        let isNew = state.withLock { $0.apply(list) }
        var events: [WindowEvent] = []
        if changes.isScreenChanged || isNew { events.append(.list(event(of: list))) }
        return events + WindowEvent.rows(rows(changes.rows, of: list), of: "\(list.revision)")
    }

    /// Returns the note under the title, and the message of an empty list.
    func labels(for list: FeedList<MarsPhoto>) -> (note: String?, empty: String?) {
        let (manifest, skippedCount) = (manifest, list.snapshot.omittedCount)
        return (
            list.hasBeenFetched ? contexts.note(of: list.snapshot.references, skipped: skippedCount, solPhotos.query, manifest) : nil,
            // The note has the number of photos that could not be read.
            list.isEmpty && skippedCount == 0 ? contexts.emptyMessage(of: solPhotos.query, manifest) : nil
        )
    }

    /// Returns the links to other sols and cameras, as far as they are known.
    func solChoice(of list: FeedList<MarsPhoto>) -> TemplateContext.SolChoice {
        contexts.choice(solPhotos.query, photos: list.snapshot.references, manifest)
    }

    private func event(of list: FeedList<MarsPhoto>) -> ListEvent {
        let position = state.withLock { $0.position }
        let labels = labels(for: list)
        let isUnknown = list.hasBeenFetched && !position.isAcknowledged
        let problem = list.failure.map { contexts.texts.problem(for: $0, subject: .photos) }
        return ListEvent(
            list: "\(list.revision)", count: list.hasBeenFetched ? list.snapshot.count : nil, title: contexts.title(of: solPhotos.query),
            busy: list.state == .loading, fetchedAt: solPhotos.cache.listFetchedAt.map(\.millisecondsSince1970), note: labels.note,
            empty: labels.empty, error: problem?.text, errorDetails: problem?.details,
            newRowsLabel: isUnknown && position.newRowCount > 0 ? contexts.texts.newPhotos(position.newRowCount) : nil,
            anchor: isUnknown ? position.eventAnchor : nil, navigationHTML: renderer.fragment(.solChoice, solChoice(of: list)),
            rows: isUnknown ? JSONText(viewportRows(of: list)[...]) : nil)
    }

    /// Returns all rows in view, including those in the state `waiting`: the page treats other rows of a new list as unknown.
    private func viewportRows(of list: FeedList<MarsPhoto>) -> [RenderedRow] {
        let visible = state.withLock { $0.position.viewport.visible.clamped(to: 0..<list.snapshot.count) }
        return visible.map { renderRow(list.snapshot.references[$0], at: $0) }
    }

    private func rows(_ ids: [MarsPhotoID], of list: FeedList<MarsPhoto>) -> [RenderedRow] {
        let rendered = ids.compactMap { id -> RenderedRow? in
            guard let index = list.snapshot.index(of: id) else { return nil }
            let row = renderRow(list.snapshot.references[index], at: index)
            return row.state == "waiting" ? nil : row
        }
        return rendered.sorted { $0.index < $1.index }
    }

    private func renderRow(_ photo: MarsPhoto, at index: Int) -> RenderedRow {
        let version = state.withLock { $0.position.markSent(index) }
        let row = controller.state(of: photo.id)
        let html = html(of: photo, row, at: index)
        return RenderedRow(id: JSONText("\(photo.id)"), index: index, version: version, state: row.name, html: html)
    }

    private func html(of photo: MarsPhoto, _ row: FeedRowState<PhotoCell>, at index: Int) -> JSONText {
        let language = contexts.texts.language
        guard case .loaded(let cell) = row else {
            return JSONText(renderer.fragment(.photoCell, contexts.cell(photo, row, progress(of: photo), at: index, of: solPhotos.query)))
        }
        // The page reads the version from the event, so that one rendering serves all pages.
        let content = PhotoVersion(id: photo.id, digest: cell.digest, camera: solPhotos.query.camera)
        if let known = repository.renderedRows.html(of: content, in: language) { return known }
        let html = JSONText(renderer.fragment(.photoCell, contexts.cell(photo, row, nil, at: index, of: solPhotos.query)))
        repository.renderedRows.store(html, of: content, in: language)
        return html
    }

    private func progress(of photo: MarsPhoto) -> Int? { repository.images.progress.percent(of: photo.id) }
}

// MARK: - Positions

extension PhotoGridScreen.State {
    /// Applies the current list, and returns whether the page has to be notified of it.
    fileprivate mutating func apply(_ list: FeedList<MarsPhoto>) -> Bool {
        guard position.isReplaced(by: list) else {
            position.update(list.snapshot)
            return false
        }
        position.replaceList(with: list, at: place(in: list.snapshot))
        return true
    }

    /// Returns the position of the user in another list.
    private func place(in list: FeedSnapshot<MarsPhoto>) -> FeedListPosition<MarsPhoto>.Place {
        if let place = position.placeOfPendingRow(in: list) ?? position.placeOfNearestRow(in: list) { return place }
        return (.index(initialIndex), position.viewport)
    }
}
