import LadingHTTP

/// Tells words that look like keys, tokens or addresses of memory from names of functions.
enum SecretDetector {
    /// What the names of secrets have in them, beside those that are secret everywhere.
    private static let secretNameParts = [
        "token", "secret", "passw", "pwd", "apikey", "api-key", "api_key", "auth", "cookie", "signature", "credential", "session",
        "private",
    ]
    /// What well-known keys begin with.
    private static let keyPrefixes = [
        "sk-", "pk-", "sk_", "pk_", "ghp_", "gho_", "ghs_", "github_pat_", "xox", "AIza", "AKIA", "ASIA", "eyJ", "ya29.",
    ]
    /// What names that a compiler has mangled begin with.
    private static let manglingPrefixes = ["$s", "_$s", "_Z", "__Z", "_T", "$S", "_swift_"]
    private static let minimumKeyLength = 12
    private static let minimumNumberLength = 12
    private static let minimumOpaqueLength = 20
    /// How often letters and digits change in what nobody can read.
    private static let minimumAlternations = 3

    /// Whether what goes by this name is a secret.
    static func isSecret(name: some StringProtocol) -> Bool {
        let name = name.lowercased()
        return SecretRedaction.standard.isSecret(name) || secretNameParts.contains { name.contains($0) }
    }

    /// The word without what is secret in it.
    static func redacted(_ word: String) -> String {
        if let query = word.firstIndex(of: "?"), word[query...].contains("=") { return word[..<query] + "<query>" }
        if let sign = word.firstIndex(of: "="), isSecret(name: word[..<sign]), word[sign...].count > 1 {
            return word[...sign] + "<secret>"
        }
        guard !manglingPrefixes.contains(where: { word.hasPrefix($0) }) else { return word }
        return pieces(of: word).map(redacted(piece:)).joined()
    }

    /// Parts that a key could be, and what stands between them.
    private static func pieces(of word: String) -> [Substring] {
        var pieces: [Substring] = []
        var rest = Substring(word)
        while let first = rest.first {
            let isPartOfKey = isKeyCharacter(first)
            let piece = rest.prefix { isKeyCharacter($0) == isPartOfKey }
            pieces.append(piece)
            rest = rest[piece.endIndex...]
        }
        return pieces
    }

    private static func isKeyCharacter(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber || character == "_" || character == "-" || character == "+")
    }

    private static func redacted(piece: Substring) -> String {
        if isPointer(piece) { return "0x…" }
        if piece.count >= minimumKeyLength, keyPrefixes.contains(where: { piece.hasPrefix($0) }) { return "<secret>" }
        return isNumber(piece) || isOpaque(piece) ? "<secret>" : String(piece)
    }

    private static func isPointer(_ piece: Substring) -> Bool {
        (piece.hasPrefix("0x") || piece.hasPrefix("0X")) && piece.count > 2 && piece.dropFirst(2).allSatisfy(\.isHexDigit)
    }

    /// Long hexadecimal numbers, such as digests, UUIDs and addresses of memory.
    private static func isNumber(_ piece: Substring) -> Bool {
        piece.count >= minimumNumberLength && piece.contains(where: \.isNumber) && piece.allSatisfy { $0.isHexDigit || $0 == "-" }
    }

    /// Long, and letters and digits without sense.
    private static func isOpaque(_ piece: Substring) -> Bool {
        if piece.count >= 16, piece.contains(where: \.isNumber), piece.allSatisfy({ $0.isUppercase || $0.isNumber }) { return true }
        guard piece.count >= minimumOpaqueLength else { return false }
        return zip(piece, piece.dropFirst()).count { ($0.isLetter && $1.isNumber) || ($0.isNumber && $1.isLetter) } >= minimumAlternations
    }
}
