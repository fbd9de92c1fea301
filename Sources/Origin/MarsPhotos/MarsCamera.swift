/// A camera of the demo's rovers; the raw value is its code in the service.
enum MarsCamera: String, CaseIterable, Sendable {
    case fhaz = "FHAZ"
    case rhaz = "RHAZ"
    case mast = "MAST"
    case chemcam = "CHEMCAM"
    case mahli = "MAHLI"
    case mardi = "MARDI"
    case navcam = "NAVCAM"
    case pancam = "PANCAM"
    case minites = "MINITES"
    case entry = "ENTRY"
    case frontHazcamLeft = "FRONT_HAZCAM_LEFT_A"
    case frontHazcamRight = "FRONT_HAZCAM_RIGHT_A"
    case rearHazcamLeft = "REAR_HAZCAM_LEFT"
    case navcamLeft = "NAVCAM_LEFT"
    case navcamRight = "NAVCAM_RIGHT"
    case mczLeft = "MCZ_LEFT"
    case mczRight = "MCZ_RIGHT"
    case watson = "SHERLOC_WATSON"
    case supercam = "SUPERCAM_RMI"
    case skycam = "SKYCAM"

    /// The scene and the optics of the camera.
    var view: TerrainView {
        switch self {
        case .fhaz, .rhaz, .frontHazcamLeft, .frontHazcamRight, .rearHazcamLeft: .wheels
        case .navcam, .navcamLeft, .navcamRight, .entry: .landscapeWithoutColor
        case .mast, .pancam, .mczLeft, .mczRight: .landscape
        case .chemcam, .minites, .supercam: .circularGround
        case .mahli, .mardi, .watson: .ground
        case .skycam: .sky
        }
    }

    var fullName: String {
        switch self {
        case .fhaz: "Front Hazard Avoidance Camera"
        case .rhaz: "Rear Hazard Avoidance Camera"
        case .mast: "Mast Camera"
        case .chemcam: "Chemistry and Camera Complex"
        case .mahli: "Mars Hand Lens Imager"
        case .mardi: "Mars Descent Imager"
        case .navcam: "Navigation Camera"
        case .pancam: "Panoramic Camera"
        case .minites: "Miniature Thermal Emission Spectrometer (Mini-TES)"
        case .entry: "Entry, Descent, and Landing Camera"
        case .frontHazcamLeft: "Front Hazard Avoidance Camera - Left"
        case .frontHazcamRight: "Front Hazard Avoidance Camera - Right"
        case .rearHazcamLeft: "Rear Hazard Avoidance Camera - Left"
        case .navcamLeft: "Navigation Camera - Left"
        case .navcamRight: "Navigation Camera - Right"
        case .mczLeft: "Mast Camera Zoom - Left"
        case .mczRight: "Mast Camera Zoom - Right"
        case .watson: "SHERLOC WATSON Camera"
        case .supercam: "SuperCam Remote Micro Imager"
        case .skycam: "MEDA Skycam"
        }
    }

    /// The name of the camera in the service of Curiosity's raw images.
    var instrument: String {
        switch self {
        case .fhaz: "FHAZ_LEFT_B"
        case .rhaz: "RHAZ_LEFT_B"
        case .navcam: "NAV_LEFT_B"
        case .mast: "MAST_LEFT"
        case .chemcam: "CHEMCAM_RMI"
        default: rawValue
        }
    }

    /// The id of the camera in the service.
    var number: Int { 20 + (Self.allCases.firstIndex(of: self) ?? 0) }
}
