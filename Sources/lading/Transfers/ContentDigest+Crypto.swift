import Crypto
import LadingHTTP

extension ContentDigest {
    /// What servers usually send, as quick as the processor can.
    static let quick = [
        ContentDigest("sha-512") { .hashing(SHA512()) },
        ContentDigest("sha-256") { .hashing(SHA256()) },
    ]
}

extension ContentDigest.Computation {
    fileprivate static func hashing(_ function: some HashFunction) -> ContentDigest.Computation {
        var function = function
        return .init(update: { function.update(data: $0) }, finish: { Array(function.finalize()) })
    }
}
