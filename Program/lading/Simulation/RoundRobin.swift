import Digests
import Synchronization

/// A counter that distributes requests.
final class RoundRobin: Sendable {
    private let count = Mutex(0)

    func number(below bound: Int) -> Int {
        count.withLock { count in
            count += 1
            return count % bound
        }
    }
}

/// The digests of uploaded proofs.
enum FileDigest {
    /// Returns 64 hexadecimal digits.
    static func sha256(_ bytes: [UInt8]) -> String { SHA256.hash(data: bytes).hexString }
}
