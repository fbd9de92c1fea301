/// Bytes of one connection that cross a line in one piece.
struct LinkSegment: Hashable {
    let connection: Int
    /// None in the segment that ends a direction of a connection.
    let bytes: Int
    /// When its last bit has left.
    let departs: Duration
    /// When it is there.
    let arrives: Duration

    var isEnd: Bool { bytes == 0 }
}
