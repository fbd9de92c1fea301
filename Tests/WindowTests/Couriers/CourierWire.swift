/// Documents in the format of the API.
enum CourierWire {
    /// - Parameter holder: The id of the courier who has the order; nil for none.
    static func order(
        _ id: Int, state: String = "open", title: String = "Order", version: String = "0.1", quantity: String = "2", holder: String? = nil
    ) -> String {
        let holder = holder.map { #"{"id":"\#($0)","name":null}"# } ?? "null"
        return """
            {"id":\(id),"state":"\(state)","fence":0,"version":"\(version)","title":"\(title)","note":"","price":"1.50","currency":"USD","deliveryTime":"","due":null,
            "destination":{"address":"A","latitude":1,"longitude":2,"radius":3,"radiusUnit":"km"},
            "items":[{"id":7,"quantity":"\(quantity)","unit":"pc."}],"hasPin":false,"holder":\(holder),"leaseEnd":null,"deadline":null,"attempts":0}
            """
    }

    /// - Parameter next: The cursor of the next page; nil for the last page.
    static func page(_ ids: some Sequence<Int>, position: String = "e:1", next: String? = nil) -> String {
        let next = next.map { #""\#($0)""# } ?? "null"
        return #"{"position":"\#(position)","next":\#(next),"orders":[\#(ids.map { order($0) }.joined(separator: ","))]}"#
    }
}
