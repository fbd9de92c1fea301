import ArgumentParser
import CitySimulation

/// The simulated people of the demo.
struct CityOptions: ParsableArguments {
    @Flag(
        help: """
            Let simulated people order, take, carry and deliver, so that the pages show a city at work. Sign in as a courier to join them.
            """)
    var simulate = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The number of simulated seconds in a second (default: \(Int(CitySimulation.standardSpeed))).", valueName: "n"))
    var simulateSpeed: Double?

    func validate() throws {
        if simulateSpeed != nil, !simulate { throw ValidationError("--simulate-speed requires --simulate.") }
        if let simulateSpeed, !(1...1_000).contains(simulateSpeed) { throw ValidationError("--simulate-speed must be from 1 to 1000.") }
    }

    var speed: Double { simulateSpeed ?? CitySimulation.standardSpeed }

    /// The specified options, which have no effect where no origin is started.
    var specifiedOptions: [String] { simulate ? ["--simulate"] : [] }
}
