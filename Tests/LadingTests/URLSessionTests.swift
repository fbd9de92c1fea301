import Testing

/// The tests that use URLSession, one after the other: on Linux the sessions of a process share one queue, and a flood in one delays
/// the others.
@Suite(.serialized, .timeLimit(.minutes(10))) enum URLSessionTests {}
