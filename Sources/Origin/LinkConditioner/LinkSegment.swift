/// Bytes of one connection that cross a line in one piece.
struct LinkSegment: Hashable {
    let connection: Int
    /// None in the segment that ends a direction of a connection.
    let byteCount: Int
    /// When its last bit has left.
    let departure: Duration
    /// When it is there.
    let arrival: Duration

    var isEnd: Bool { byteCount == 0 }
}
