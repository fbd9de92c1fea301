/// Tests that read the parts of `list` events.
protocol ListEventReader {}

extension ListEventReader {
    /// Returns the ids of the rows that an event contains.
    func rows(_ event: [String: Any]) -> [String] {
        (event["rows"] as? [[String: Any]] ?? []).compactMap { $0["id"] as? String }
    }

    /// Returns the row and the index of an anchor; nil for none.
    func anchor(_ event: [String: Any]) -> String? {
        guard let anchor = event["anchor"] as? [String: Any], let index = anchor["index"] as? Int else { return nil }
        return "\(anchor["row"] as? String ?? "no row") at \(index)"
    }
}
