import Foundation

@testable import Orders

extension FuzzInput {
    func parseOrder() {
        _ = try? XMLReader().read(bytes, root: "order")
        let dates = DeliveryDateReader(timeZone: .gmt, reference: Date(timeIntervalSince1970: 1_800_000_000))
        _ = try? Order(id: 1, document: bytes, dates: dates)
        _ = try? Item(id: 1, document: bytes, at: Self.address)
    }

    func parsePropertyList() {
        guard let rows = try? OrderReference.list(propertyList: bytes, at: Self.address) else { return }
        let ids = rows.map(\.id)
        precondition(ids == ids.sorted() && Set(ids).count == ids.count, "there is one row for each id, in order")
    }
}
