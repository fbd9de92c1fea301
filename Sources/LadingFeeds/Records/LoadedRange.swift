/// Places of a list that pages of one refresh have covered without a gap.
public struct LoadedRange: Hashable, Sendable {
    public var places: Range<Int>
    public var generation: Int
    /// Where the page before the first place is to be had; nil when there is none, or when it is not known.
    public var previous: PageKey?
    /// Where the page behind the last place is to be had; nil when there is none, or when it is not known.
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
