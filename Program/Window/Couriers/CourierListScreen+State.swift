import LadingFeeds
import Orders

// MARK: - Loads

extension CourierListScreen.State {
    /// Begins a load, and returns its reason.
    mutating func beginLoad(for reason: CourierListScreen.LoadReason) -> CourierListScreen.LoadReason {
        let isPending = list.isLoading || list.failure != nil
        lastLoad = isPending ? max(reason, lastLoad) : reason
        list.isLoading = true
        return lastLoad
    }

    /// Returns the number of orders to read: as many as reach the end of the viewport, even if the new ones are above it.
    func orderCount(for reason: CourierListScreen.LoadReason) -> Int {
        let count =
            switch reason {
            case .next, .query: 1
            // One more than the rows, to read those that follow a complete list.
            case .update: list.orders.count + list.new.count + 1
            case .refresh, .position: visible.upperBound + list.new.count
            }
        return min(count, CourierListScreen.rowLimit)
    }

    /// Applies the orders that were read.
    mutating func apply(_ page: APIOrderPage, for reason: CourierListScreen.LoadReason) {
        guard reason != .next else { return list.append(page) }
        watchedRows = WatchedRows()
        guard reason != .update else { return list.update(with: page, unread: changedOrders.waitingOwn) }
        let earlier = list.orders
        list.replace(with: page)
        moveViewport(from: earlier, reason)
        isAcknowledged = false
    }
}

// MARK: - Positions

extension CourierListScreen.State {
    /// The position of the reader in a list that the page has.
    var viewportAnchor: ListEvent.Anchor? {
        guard visible.lowerBound > 0 else { return nil }
        let row = list.orders.indices.contains(visible.lowerBound) ? "\(list.orders[visible.lowerBound].id)" : nil
        return ListEvent.Anchor(row: row, index: visible.lowerBound)
    }

    /// Returns the rows around the viewport that the page does not have.
    mutating func missingRows() -> [OrderID] {
        guard isAcknowledged else { return [] }
        let missing = watchedRows.missing(around: visible, of: list.orders.count, latest: version) { _ in 0 }
        return missing.map { list.orders[$0].orderID }
    }

    /// Moves the viewport to the position of the reader in a list that has replaced another. At the top the new first rows become visible.
    private mutating func moveViewport(from earlier: [APIOrder], _ reason: CourierListScreen.LoadReason) {
        let viewport = Viewport(visible: visible), top = visible.lowerBound
        if reason == .query || top == 0 {
            (anchor, visible) = (nil, viewport.atTop.visible)
        } else if reason == .refresh, let row = commonRow(with: earlier) {
            anchor = ListEvent.Anchor(row: "\(row.id)", index: row.index)
            visible = viewport.moved(by: row.distance).visible
        } else {
            anchor = ListEvent.Anchor(row: nil, index: top)
        }
    }

    /// Returns the first row in view of an earlier list, or its nearest neighbour that is in the list too, and the distance it has moved.
    private func commonRow(with earlier: [APIOrder]) -> (id: Int, index: Int, distance: Int)? {
        if !isAcknowledged {
            // The page may not have the rows of the earlier list. It has that of the anchor, if there is one.
            guard let id = anchor?.row.flatMap({ Int($0) }) else { return nil }
            if let index = list.index(of: id) { return (id, index, index - visible.lowerBound) }
        }
        let match = FeedSnapshot(earlier).nearestCommonRow(to: visible.lowerBound, in: FeedSnapshot(list.orders))
        return match.map { (earlier[$0.here].id, $0.there, $0.there - $0.here) }
    }
}
