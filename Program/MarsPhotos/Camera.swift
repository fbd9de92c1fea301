/// A camera of a rover: its code, which selects photos, and its display name.
public struct Camera: Hashable, Sendable, Codable {
    /// The code in upper case, as services write it: `FHAZ`, `MAST_RIGHT`.
    public let name: String
    /// The display name: `Front Hazard Avoidance Camera`.
    public let fullName: String

    /// Creates a camera from its code.
    ///
    /// - Parameter fullName: The service's name of the camera; nil or empty for the known name of this code, or else the code.
    public init(_ name: String, fullName: String? = nil) {
        self.name = name.uppercased()
        self.fullName = fullName.flatMap { $0.isEmpty ? nil : $0 } ?? Self.fullNames[self.name] ?? self.name
    }

    /// Whether a name denotes this camera: its own code, or that of its pair, such as `MAST` for `MAST_LEFT` and `MAST_RIGHT`.
    ///
    /// `NAVCAM` also matches `NAV_LEFT_A`, a code in Curiosity's raw images.
    public func matches(_ name: String) -> Bool {
        let name = name.uppercased()
        return self.name == name || self.name.hasPrefix(name + "_") || (name == "NAVCAM" && self.name.hasPrefix("NAV_"))
    }

    /// The display names of cameras that the photo service lists by code alone.
    private static let fullNames = [
        "FHAZ": "Front Hazard Avoidance Camera",
        "RHAZ": "Rear Hazard Avoidance Camera",
        "MAST": "Mast Camera",
        "CHEMCAM": "Chemistry and Camera Complex",
        "MAHLI": "Mars Hand Lens Imager",
        "MARDI": "Mars Descent Imager",
        "NAVCAM": "Navigation Camera",
        "PANCAM": "Panoramic Camera",
        "MINITES": "Miniature Thermal Emission Spectrometer (Mini-TES)",
        "ENTRY": "Entry, Descent, and Landing Camera",
        "EDL_RUCAM": "Rover Up-Look Camera",
        "EDL_RDCAM": "Rover Down-Look Camera",
        "EDL_DDCAM": "Descent Stage Down-Look Camera",
        "EDL_PUCAM1": "Parachute Up-Look Camera A",
        "EDL_PUCAM2": "Parachute Up-Look Camera B",
        "NAVCAM_LEFT": "Navigation Camera - Left",
        "NAVCAM_RIGHT": "Navigation Camera - Right",
        "MCZ_LEFT": "Mast Camera Zoom - Left",
        "MCZ_RIGHT": "Mast Camera Zoom - Right",
        "FRONT_HAZCAM_LEFT_A": "Front Hazard Avoidance Camera - Left",
        "FRONT_HAZCAM_RIGHT_A": "Front Hazard Avoidance Camera - Right",
        "REAR_HAZCAM_LEFT": "Rear Hazard Avoidance Camera - Left",
        "REAR_HAZCAM_RIGHT": "Rear Hazard Avoidance Camera - Right",
        "SKYCAM": "MEDA Skycam",
        "SHERLOC_WATSON": "SHERLOC WATSON Camera",
        "SUPERCAM_RMI": "SuperCam Remote Micro Imager",
        "LCAM": "Lander Vision System Camera",
    ]
}
