import Foundation

/// Tells one start of the machine from the next: until then, what a killed process had written to a file is there, synced or not.
enum BootID {
    /// Nil where the system does not tell.
    static let current: String? = {
        let text = try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
        return text?.trimmingCharacters(in: .whitespacesAndNewlines)
    }()
}
