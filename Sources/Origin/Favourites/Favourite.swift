/// What was last said of a delivery: whether it is a favourite, and when that was decided.
struct Favourite: Equatable, Sendable {
    let isFavourite: Bool
    /// Nil when nobody has ever said anything.
    let timestamp: ActionTimestamp?

    static let unset = Favourite(isFavourite: false, timestamp: nil)

    /// `{"id":7,"favourite":true,"at":"2026-05-15T12:00:00Z"}`; the id as text in the later version, `at` null when nothing was ever said.
    ///
    /// - Parameter id: Nil for the later version.
    func document(id: Int?, key: DeliveryKey) -> String {
        var json = JSONWriter()
        json.object { json in
            if let id { json.member("id", id) } else { json.member("id", key.text) }
            json.member("favourite", isFavourite)
            if let timestamp { json.member("at", timestamp.text) } else { json.nullMember("at") }
        }
        return json.text
    }
}
