import Foundation
import Synchronization

/// Cuts what arrives into lines; the last one waits for its end.
final class LineRest: Sendable {
    private let rest = Mutex<[UInt8]>([])

    func lines(adding data: Data) -> [String] {
        rest.withLock { rest in
            rest += data
            let parts = rest.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            rest = Array(parts.last ?? [])
            return parts.dropLast().map { String(decoding: $0, as: UTF8.self) }
        }
    }
}
