package import Foundation

/// The files that ship with the program, a folder for each target that has some.
package enum ProgramResources {
    /// The folder of a target's resources.
    ///
    /// On Linux it lies beside the executable. `Bundle.module` would look there too, but then at the place where the program was built, and end the
    /// process when that is gone.
    ///
    /// - Parameter module: The target's `Bundle.module`, which is asked on other systems only.
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
