/// The content of the page on which a courier carries an order out.
struct CourierOrderContent: Sendable {
    var order: APIOrder
    /// Whether the order is not open any more, and was never the courier's.
    var hasLeft = false
    /// Whether the order is somebody else's now, of which a courier sees only the own steps.
    var isGone = false
    var history: APIHistory?

    /// Reads an order; nil if the person may not see it and has never had it.
    init?(of id: Int, from service: OrderService) async throws {
        let (order, history) = (try await service.order(id), try await service.history(of: id))
        guard order != nil || history != nil else { return nil }
        self.order = order ?? .withoutContent(id: id)
        self.history = history
        isGone = order == nil
    }
}
