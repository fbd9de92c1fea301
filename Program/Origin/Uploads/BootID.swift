import Foundation

/// The identifier of the current boot. Within one boot the unsynced writes of a killed process persist.
enum BootID {
    /// Nil where the system does not provide one.
    static let current: String? = {
        let text = try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
        return text?.trimmingCharacters(in: .whitespacesAndNewlines)
    }()
}
