import LadingTesting
import Testing

@testable import LadingHTTP

@Suite struct SHA256Tests {
    private func digest(_ pieces: [UInt8]...) -> String {
        var digest = SHA256()
        for piece in pieces { digest.update(piece) }
        return digest.finished()
    }

    /// The first three are examples of NIST; the others were made with `sha256sum`.
    @Test(arguments: [
        ("", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        ("a", 55, "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318"),
        ("a", 64, "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"),
        ("a", 1_000, "41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3"),
    ])
    func `Known texts have their known digests`(text: String, times: Int, hexadecimal: String) {
        #expect(digest(Array(String(repeating: text, count: times).utf8)) == hexadecimal)
    }

    @Test(arguments: Seeds.several(20)) func `It does not matter how the bytes come`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let bytes = (0..<Int.random(in: 0...500, using: &random)).map { _ in UInt8.random(in: .min ... .max, using: &random) }
        var piecemeal = SHA256()

        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = rest.prefix(Int.random(in: 1...100, using: &random))
            piecemeal.update(Array(piece))
            rest = rest.dropFirst(piece.count)
        }

        #expect(piecemeal.finished() == digest(bytes), "LADING_SEED=\(seed)")
    }
}
