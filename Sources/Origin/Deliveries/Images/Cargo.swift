/// A kind of goods. Its name appears in descriptions and in the names of images.
struct Cargo: Hashable, Sendable {
    /// All kinds in alphabetical order; another order changes the demo's deliveries.
    static let all = images.keys.sorted().map { Cargo(known: $0) }

    let name: String

    /// Creates a kind of goods; nil if no kind has this name.
    init?(name: String) {
        guard Self.images[name] != nil else { return nil }
        self.init(known: name)
    }

    private init(known name: String) {
        self.name = name
    }
}
