import LadingHTTP

/// Tells words that look like keys, tokens or addresses of memory from names of functions.
enum SecretWord {
    /// The words in names of secrets, in addition to those that are secret everywhere.
    private static let marks = [
        "token", "secret", "passw", "pwd", "apikey", "api-key", "api_key", "auth", "cookie", "signature", "credential", "session",
        "private",
    ]
    /// What well-known keys begin with.
    private static let prefixes = [
        "sk-", "pk-", "sk_", "pk_", "ghp_", "gho_", "ghs_", "github_pat_", "xox", "AIza", "AKIA", "ASIA", "eyJ", "ya29.",
    ]
    /// What names that a compiler has mangled begin with.
    private static let mangled = ["$s", "_$s", "_Z", "__Z", "_T", "$S", "_swift_"]
    private static let shortestKey = 12
    private static let shortestNumber = 12
    private static let shortestOpaque = 20
    /// How often letters and digits change in what nobody can read.
    private static let leastChanges = 3

    /// Whether what goes by this name is a secret.
    static func isSecret(name: some StringProtocol) -> Bool {
        let name = name.lowercased()
        return SecretRedaction.usual.isSecret(name) || marks.contains { name.contains($0) }
    }

    /// The word without what is secret in it.
    static func redacted(_ word: String) -> String {
        if let query = word.firstIndex(of: "?"), word[query...].contains("=") { return word[..<query] + "<query>" }
        if let sign = word.firstIndex(of: "="), isSecret(name: word[..<sign]), word[sign...].count > 1 {
            return word[...sign] + "<secret>"
        }
        guard !mangled.contains(where: { word.hasPrefix($0) }) else { return word }
        return pieces(of: word).map(redacted(piece:)).joined()
    }

    /// Parts that a key could be, and what stands between them.
    private static func pieces(of word: String) -> [Substring] {
        var pieces: [Substring] = []
        var rest = Substring(word)
        while let first = rest.first {
            let belongs = isOfKey(first)
            let piece = rest.prefix { isOfKey($0) == belongs }
            pieces.append(piece)
            rest = rest[piece.endIndex...]
        }
        return pieces
    }

    private static func isOfKey(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber || character == "_" || character == "-" || character == "+")
    }

    private static func redacted(piece: Substring) -> String {
        if isPointer(piece) { return "0x…" }
        if piece.count >= shortestKey, prefixes.contains(where: { piece.hasPrefix($0) }) { return "<secret>" }
        return isNumber(piece) || isOpaque(piece) ? "<secret>" : String(piece)
    }

    private static func isPointer(_ piece: Substring) -> Bool {
        (piece.hasPrefix("0x") || piece.hasPrefix("0X")) && piece.count > 2 && piece.dropFirst(2).allSatisfy(\.isHexDigit)
    }

    /// Long hexadecimal numbers, such as digests, UUIDs and addresses of memory.
    private static func isNumber(_ piece: Substring) -> Bool {
        piece.count >= shortestNumber && piece.contains(where: \.isNumber) && piece.allSatisfy { $0.isHexDigit || $0 == "-" }
    }

    /// Long, and letters and digits without sense.
    private static func isOpaque(_ piece: Substring) -> Bool {
        if piece.count >= 16, piece.contains(where: \.isNumber), piece.allSatisfy({ $0.isUppercase || $0.isNumber }) { return true }
        guard piece.count >= shortestOpaque else { return false }
        return zip(piece, piece.dropFirst()).count { ($0.isLetter && $1.isNumber) || ($0.isNumber && $1.isLetter) } >= leastChanges
    }
}
