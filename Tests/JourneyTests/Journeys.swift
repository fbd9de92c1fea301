import Testing

/// Tests that run the built program, one after the other.
@Suite(.serialized, .timeLimit(.minutes(10))) enum Journeys {}
