/// The deliveries as the original service returned them: other content for the same id on every request, and repeated rows.
struct FaultyDeliveries: Sendable {
    /// The number of positions after which a row repeats.
    static let repeatInterval = 20

    private let demo: DemoDeliveries
    private let plan: FaultPlan
    private let requestNumbers = RequestNumbers()

    init(_ demo: DemoDeliveries, plan: FaultPlan) {
        self.demo = demo
        self.plan = plan
    }

    /// Returns a page with content drawn for this request.
    func rows(_ page: DeliveryPage, of version: DeliveryVersion) -> [Delivery] {
        let path = "\(version.rawValue)?\(page.query)"
        let seed = plan.contentSeed(ofRequest: requestNumbers.next(for: path), for: path)
        return Self.ids(page, of: demo.count).map { demo.regenerated(seed: seed, id: $0) }
    }

    /// Returns the ids at the positions of a page, for a list with `count` rows.
    static func ids(_ page: DeliveryPage, of count: Int) -> [Int] {
        // The list has fewer than twice as many positions as rows.
        guard page.offset <= 2 * count else { return [] }
        return (page.offset..<page.offset + page.limit).map { $0 - $0 / repeatInterval }.filter { $0 < count }
    }
}
