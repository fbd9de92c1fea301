/// A contiguous range of places that pages of one refresh have loaded.
public struct LoadedRange: Hashable, Sendable {
    public var places: Range<Int>
    public var generation: Int
    /// The key of the page before the first place; nil if there is none or it is unknown.
    public var previous: PageKey?
    /// The key of the page after the last place; nil if there is none or it is unknown.
    public var next: PageKey?
    /// Whether the list is known to end here.
    public var isEnd: Bool

    public init(places: Range<Int>, generation: Int, previous: PageKey? = nil, next: PageKey? = nil, isEnd: Bool = false) {
        self.places = places
        self.generation = generation
        self.previous = previous
        self.next = next
        self.isEnd = isEnd
    }
}
