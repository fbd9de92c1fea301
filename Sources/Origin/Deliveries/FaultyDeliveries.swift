/// The deliveries as the original service gave them: other content for the same id on every request, and rows that come again.
///
/// Every twentieth place has the row of the place before, so that of pages of twenty each begins with the last row of the page before. No id is left out.
struct FaultyDeliveries: Sendable {
    /// After so many places a row comes again.
    static let repeatInterval = 20

    private let demo: DemoDeliveries
    private let plan: FaultPlan
    private let requestNumbers = RequestNumbers()

    init(_ demo: DemoDeliveries, plan: FaultPlan) {
        self.demo = demo
        self.plan = plan
    }

    /// A page as it is this time.
    func rows(_ page: DeliveryPage, of version: DeliveryVersion) -> [Delivery] {
        let path = "\(version.rawValue)?\(page.query)"
        let seed = plan.contentSeed(ofRequest: requestNumbers.next(for: path), for: path)
        return Self.ids(page, of: demo.count).map { demo.regenerated(seed: seed, id: $0) }
    }

    /// The ids at the places of a page, in a list of so many.
    static func ids(_ page: DeliveryPage, of count: Int) -> [Int] {
        // No list has more than twice as many places as rows.
        guard page.offset <= 2 * count else { return [] }
        return (page.offset..<page.offset + page.limit).map { $0 - $0 / repeatInterval }.filter { $0 < count }
    }
}
