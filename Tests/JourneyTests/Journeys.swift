import Testing

/// The program run as a program, one journey after the other.
@Suite(.serialized, .timeLimit(.minutes(10))) enum Journeys {}
