/// The bytes of one connection that cross a link as one unit.
struct LinkSegment: Hashable {
    let connection: Int
    /// The number of bytes; 0 for the end of a direction.
    let byteCount: Int
    /// The time at which its last bit departs.
    let sendTime: Duration
    /// The time of its arrival.
    let receiveTime: Duration

    var isEnd: Bool { byteCount == 0 }
}
