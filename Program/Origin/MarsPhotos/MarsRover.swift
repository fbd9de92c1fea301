/// A rover of the demo, with its real mission data.
enum MarsRover: String, CaseIterable, Sendable {
    case curiosity, opportunity, spirit, perseverance

    /// Parses a name in any case.
    init?(name: some StringProtocol) {
        self.init(rawValue: name.lowercased())
    }

    /// `Curiosity`
    var title: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }

    /// The id of the rover in the service.
    var number: Int {
        switch self {
        case .curiosity: 5
        case .opportunity: 6
        case .spirit: 7
        case .perseverance: 8
        }
    }

    var launchDate: String {
        switch self {
        case .curiosity: "2011-11-26"
        case .opportunity: "2003-07-07"
        case .spirit: "2003-06-10"
        case .perseverance: "2020-07-30"
        }
    }

    /// The landing date in seconds since 1970, at the beginning of the day in UTC.
    var landingTimestamp: Int {
        switch self {
        case .curiosity: 1_344_211_200
        case .opportunity: 1_074_988_800
        case .spirit: 1_073_174_400
        case .perseverance: 1_613_606_400
        }
    }

    var landingDate: String {
        switch self {
        case .curiosity: "2012-08-06"
        case .opportunity: "2004-01-25"
        case .spirit: "2004-01-04"
        case .perseverance: "2021-02-18"
        }
    }

    var status: String { self == .curiosity || self == .perseverance ? "active" : "complete" }

    /// The last sol with photos.
    var lastSol: Int {
        switch self {
        case .curiosity: 4_400
        case .opportunity: 5_111
        case .spirit: 2_208
        case .perseverance: 1_484
        }
    }

    var cameras: [MarsCamera] {
        switch self {
        case .curiosity: [.fhaz, .navcam, .mast, .chemcam, .mahli, .mardi, .rhaz]
        case .opportunity, .spirit: [.fhaz, .navcam, .pancam, .minites, .entry, .rhaz]
        case .perseverance:
            [
                .frontHazcamLeft, .frontHazcamRight, .rearHazcamLeft, .navcamLeft, .navcamRight, .mczLeft, .mczRight, .watson, .supercam,
                .skycam,
            ]
        }
    }
}
