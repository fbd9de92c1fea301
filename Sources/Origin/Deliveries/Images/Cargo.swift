/// The kind of goods. The raw values appear in descriptions and in the names of images.
enum Cargo: String, CaseIterable, Sendable {
    case books
    case cake
    case documents
    case flowers
    case food
    case furniture
    case groceries
    case parcel
    case pets
    case plants
    case toys
    case wine
}
