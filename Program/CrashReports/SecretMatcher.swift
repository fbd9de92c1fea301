import LadingHTTP

/// A detector of keys, tokens and memory addresses among function names.
enum SecretMatcher {
    /// Substrings of names of secrets, in addition to those of `SecretRedaction`.
    private static let secretNameParts = [
        "token", "secret", "passw", "pwd", "apikey", "api-key", "api_key", "auth", "cookie", "signature", "credential", "session",
        "private",
    ]
    /// Prefixes of well-known keys.
    private static let keyPrefixes = [
        "sk-", "pk-", "sk_", "pk_", "ghp_", "gho_", "ghs_", "github_pat_", "xox", "AIza", "AKIA", "ASIA", "eyJ", "ya29.",
    ]
    /// Prefixes of mangled names.
    private static let symbolPrefixes = ["$s", "_$s", "_Z", "__Z", "_T", "$S", "_swift_"]
    private static let minimumKeyLength = 12
    private static let minimumNumberLength = 12
    private static let minimumOpaqueLength = 20
    /// The minimum number of changes between letters and digits in an opaque word.
    private static let minimumChanges = 3

    /// Whether a value with this name is a secret.
    static func isSecret(name: some StringProtocol) -> Bool {
        let name = name.lowercased()
        return SecretRedaction.standard.isSecret(name) || secretNameParts.contains { name.contains($0) }
    }

    /// Returns the word without secrets.
    static func redacted(_ word: String) -> String {
        if let query = word.firstIndex(of: "?"), word[query...].contains("=") { return word[..<query] + "<query>" }
        if let sign = word.firstIndex(of: "="), isSecret(name: word[..<sign]), word[sign...].count > 1 {
            return word[...sign] + "<secret>"
        }
        guard !symbolPrefixes.contains(where: { word.hasPrefix($0) }) else { return word }
        return pieces(of: word).map(redacted(piece:)).joined()
    }

    /// Splits a word into possible keys and the characters between them.
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

    /// Whether a piece is a long hexadecimal number, such as a digest, a UUID or a memory address.
    private static func isNumber(_ piece: Substring) -> Bool {
        piece.count >= minimumNumberLength && piece.contains(where: \.isNumber) && piece.allSatisfy { $0.isHexDigit || $0 == "-" }
    }

    /// Whether a piece is a long random mixture of letters and digits.
    private static func isOpaque(_ piece: Substring) -> Bool {
        if piece.count >= 16, piece.contains(where: \.isNumber), piece.allSatisfy({ $0.isUppercase || $0.isNumber }) { return true }
        guard piece.count >= minimumOpaqueLength else { return false }
        return zip(piece, piece.dropFirst()).count { ($0.isLetter && $1.isNumber) || ($0.isNumber && $1.isLetter) } >= minimumChanges
    }
}
