package import Foundation

/// The resources that ship with the program, one folder per target.
package enum ProgramResources {
    /// Returns the resource folder of a target.
    ///
    /// On Linux it is beside the executable. `Bundle.module` also searches there, but falls back to the build directory, and ends the process when
    /// that is missing.
    ///
    /// - Parameter module: The target's `Bundle.module`, evaluated on other systems only.
    package static func folder(of target: String, _ module: @autoclosure () -> Bundle) throws(StartupError) -> URL {
        #if os(Linux)
            let folder = Bundle.main.bundleURL.appending(path: "lading_\(target).resources", directoryHint: .isDirectory)
            guard FileManager.default.fileExists(atPath: folder.path) else { throw .resourcesMissing(folder) }
            return folder
        #else
            return module().bundleURL
        #endif
    }
}
