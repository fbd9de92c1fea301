import Testing

/// Tests that run the built program as a command, one after the other.
@Suite(.serialized, .timeLimit(.minutes(10))) enum Journeys {}

/// Tests of servers that the built program runs, and of what they leave behind, one after the other, beside those of commands.
@Suite(.serialized, .timeLimit(.minutes(10))) enum ServerJourneys {}
