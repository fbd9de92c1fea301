import Testing

/// All that asks through a URLSession, one test after the other: on Linux the sessions of a process share one queue, and a flood in one makes
/// the others wait.
@Suite(.serialized, .timeLimit(.minutes(10))) enum URLSessionTests {}
