import Foundation
import LadingFeeds
import MarsPhotos
import Synchronization

// MARK: - What the page is told

extension PhotoGridScreen {
    /// The page was rendered with this list in it.
    func listRendered(_ list: FeedList<MarsPhoto>) {
        state.withLock { state in
            guard list.isKnown else { return }
            state.sent.number = list.number
            state.sent.snapshot = list.snapshot
            state.sent.isAcknowledged = true
        }
    }

    func events(for changes: ChangeLog<MarsPhotoID>.Changes) -> [WindowEvent] {
        let list = controller.list
        let isNew = state.withLock { $0.take(list) }
        var events: [WindowEvent] = []
        if changes.isScreenChanged || isNew { events.append(.list(event(of: list))) }
        return events + WindowEvent.rows(rows(changes.rows, of: list), of: "\(list.number)")
    }

    /// What stands under the title, and in the place of a list without photos.
    func words(of list: FeedList<MarsPhoto>) -> (note: String?, empty: String?) {
        let manifest = manifest
        return (
            list.isKnown ? contexts.note(of: list.snapshot.references, skipped: sol.skipped.count, sol.query, manifest) : nil,
            list.isEmpty ? contexts.emptiness(of: sol.query, manifest) : nil
        )
    }

    /// What leads to other sols and cameras, as far as they are known.
    func choice(of list: FeedList<MarsPhoto>) -> TemplateContext.SolChoice {
        contexts.choice(sol.query, photos: list.snapshot.references, manifest)
    }

    private func event(of list: FeedList<MarsPhoto>) -> ListEvent {
        let sent = state.withLock { $0.sent }
        let words = words(of: list)
        let isUnknown = list.isKnown && !sent.isAcknowledged
        let problem = list.failure.map { contexts.texts.problem($0, with: .photos) }
        return ListEvent(
            list: "\(list.number)", count: list.isKnown ? list.snapshot.count : nil, title: contexts.title(of: sol.query),
            busy: list.state == .loading, at: sol.memory.listedAt.map(\.millisecondsSince1970), note: words.note,
            empty: words.empty, error: problem?.text, why: problem?.details,
            fresh: isUnknown && sent.freshCount > 0 ? contexts.texts.freshPhotos(sent.freshCount) : nil,
            anchor: isUnknown ? sent.place : nil, choice: renderer.piece(.solChoice, choice(of: list)),
            rows: isUnknown ? JSONText(viewportRows(of: list)[...]) : nil)
    }

    /// All rows in view, those in the state `waiting` too: a page takes every other row of a new list for unknown.
    private func viewportRows(of list: FeedList<MarsPhoto>) -> [RowPiece] {
        let visible = state.withLock { $0.viewport.visible.clamped(to: 0..<list.snapshot.count) }
        return visible.map { piece(list.snapshot.references[$0], at: $0) }
    }

    private func rows(_ ids: [MarsPhotoID], of list: FeedList<MarsPhoto>) -> [RowPiece] {
        let pieces = ids.compactMap { id -> RowPiece? in
            guard let index = list.snapshot.index(of: id) else { return nil }
            let piece = piece(list.snapshot.references[index], at: index)
            return piece.state == "waiting" ? nil : piece
        }
        return pieces.sorted { $0.index < $1.index }
    }

    private func piece(_ photo: MarsPhoto, at index: Int) -> RowPiece {
        let version = state.withLock { state in
            state.version += 1
            state.coverage.markSent(index)
            return state.version
        }
        let row = controller.state(of: photo.id)
        let html = html(of: photo, row, at: index)
        return RowPiece(id: JSONText("\(photo.id)"), index: index, version: version, state: row.name, html: html)
    }

    private func html(of photo: MarsPhoto, _ row: FeedRowState<PhotoCell>, at index: Int) -> JSONText {
        let language = contexts.texts.language
        guard case .loaded(let cell) = row else {
            return JSONText(renderer.piece(.photoCell, contexts.cell(photo, row, progress(of: photo), at: index, of: sol.query)))
        }
        // The page takes the version from the event, so that one rendering serves all pages.
        let content = PhotoVersion(id: photo.id, digest: cell.digest, camera: sol.query.camera)
        if let known = board.renderings.html(of: content, in: language) { return known }
        let html = JSONText(renderer.piece(.photoCell, contexts.cell(photo, row, nil, at: index, of: sol.query)))
        board.renderings.keep(html, of: content, in: language)
        return html
    }

    private func progress(of photo: MarsPhoto) -> Int? { board.pictures.progress.percent(of: photo.id) }
}

// MARK: - Places

extension PhotoGridScreen.State {
    /// Takes note of the list as it is now, and says whether the page has yet to learn of it.
    fileprivate mutating func take(_ list: FeedList<MarsPhoto>) -> Bool {
        guard list.isKnown, sent.number != list.number else {
            sent.snapshot = list.snapshot
            return false
        }
        let (anchor, viewport) = place(in: list.snapshot)
        let top = viewport.visible.lowerBound
        let isRefreshed = anchor != nil && sent.snapshot.count > 0
        sent.freshCount = isRefreshed ? min(top, sent.freshCount + sent.countOfNewRows(in: list.snapshot, before: top)) : 0
        (sent.number, sent.snapshot, sent.isAcknowledged, sent.anchor) = (list.number, list.snapshot, false, anchor)
        self.viewport = viewport
        coverage = RowCoverage()
        return true
    }

    /// Where the reader is in another list, and what is in view there.
    private func place(in list: FeedSnapshot<MarsPhoto>) -> (MarsPhotoID?, Viewport) {
        let top = viewport.visible.lowerBound
        if let anchor = sent.anchor, let index = list.index(of: anchor) { return (anchor, viewport.moved(by: index - top)) }
        guard let place = sent.snapshot.place(near: top, in: list) else { return (nil, viewport) }
        return (sent.snapshot.references[place.here].id, viewport.moved(by: place.there - place.here))
    }
}

extension PhotoGridScreen.SentList {
    /// As the page is told.
    fileprivate var place: ListEvent.Anchor {
        ListEvent.Anchor(row: anchor.map { "\($0)" }, index: anchor.flatMap { snapshot.index(of: $0) } ?? openedAt)
    }

    fileprivate func countOfNewRows(in other: FeedSnapshot<MarsPhoto>, before end: Int) -> Int {
        other.references(in: 0..<max(0, end)).count { snapshot.index(of: $0.id) == nil }
    }
}
