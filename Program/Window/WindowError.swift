import Foundation
package import ServerStartup

/// An error that prevents a window from starting or stops it; its description includes a remedy.
package enum WindowError: Error {
    case startup(StartupError)
    /// Templates, scripts or styles are damaged.
    case resourcesUnreadable(cause: any Error)
    case stopped(cause: any Error)
}

extension WindowError: LocalizedError, CustomStringConvertible {
    package var errorDescription: String? { description }

    package var description: String {
        switch self {
        case .startup(let error):
            error.description
        case .resourcesUnreadable(let cause):
            "Cannot read the pages (\(cause)): keep the resources of the program beside its executable, or install it again."
        case .stopped(let cause):
            "The window stopped unexpectedly: \(cause). Start it again."
        }
    }
}
