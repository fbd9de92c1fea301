import LadingHTTP

/// A redaction that removes memory addresses, hosts, URLs, keys, tokens, names of people, and directories from a text.
///
/// A report may be read by strangers, so more is removed than by `SecretRedaction`. It works on any text, line by line, and prefers removing a word
/// too many: names of functions, files and line numbers, for which a backtrace is read, remain.
package struct Redaction: Sendable {
    /// The maximum number of lines.
    static let lineLimit = 400
    static let lineLengthLimit = 800

    /// Names that are removed as whole words, in lower case.
    private let names: Set<String>

    /// Creates a redaction that also removes some names.
    ///
    /// - Parameter names: The names of the user and the machine. Names with fewer than three letters are not removed.
    package init(names: [String] = []) {
        self.names = Set(names.map { $0.lowercased() }.filter { $0.count > 2 && $0 != "lading" })
    }

    /// Returns the text without private data.
    package func redacted(_ text: String) -> String {
        let lines = text.split(separator: "\n", maxSplits: Self.lineLimit, omittingEmptySubsequences: false)
        return lines.prefix(Self.lineLimit).map { redactedLine(String($0.prefix(Self.lineLengthLimit))) }.joined(separator: "\n")
    }

    private func redactedLine(_ text: String) -> String {
        removingDirectories(redactedWords(of: removingURLs(SecretRedaction.standard.redacted(text))))
    }
}

// MARK: - URLs

extension Redaction {
    /// Replaces each URL, from the first letter of its scheme to the next space or quote.
    private func removingURLs(_ line: String) -> String {
        guard let colon = line.firstRange(of: "://") else { return line }
        let head = line[..<colon.lowerBound]
        let scheme = head.reversed().prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }.count
        let end = line[colon.upperBound...].firstIndex { $0.isWhitespace || "\"'`<>".contains($0) } ?? line.endIndex
        return head.dropLast(scheme) + "<url>" + removingURLs(String(line[end...]))
    }
}

// MARK: - Words

extension Redaction {
    /// The characters between words.
    private static let wordSeparators = Set(" \t\r\"'`()[]{}<>,;|")

    private func redactedWords(of line: String) -> String {
        var result = ""
        var rest = Substring(line)
        while !rest.isEmpty {
            let word = rest.prefix { !Self.wordSeparators.contains($0) }
            rest = rest[word.endIndex...]
            if Self.isSecretLabel(word, before: rest) { return result + word + " <secret>" }
            result += redacted(word: String(word))
            let between = rest.prefix { Self.wordSeparators.contains($0) }
            result += between
            rest = rest[between.endIndex...]
        }
        return result
    }

    /// Whether the rest of the line is a secret: `Authorization: …`, `password=…`, `Bearer …`.
    private static func isSecretLabel(_ word: Substring, before rest: Substring) -> Bool {
        guard let end = rest.first, " \t\"'".contains(end) else { return false }
        if ["bearer", "basic"].contains(word.lowercased()) { return true }
        let next = rest.drop { $0 == " " }
        if next.hasPrefix("= ") || next.hasPrefix(": ") { return SecretMatcher.isSecret(name: word) }
        guard let last = word.last, last == ":" || last == "=" else { return false }
        return SecretMatcher.isSecret(name: word.dropLast())
    }

    private func redacted(word: String) -> String {
        if names.contains(word.lowercased()) { return "<name>" }
        if word.contains("@"), !word.hasPrefix("@") { return "<e-mail>" }
        if HostMatcher.isAddress(word) { return "<address>" }
        return SecretMatcher.redacted(word)
    }
}

// MARK: - Directories

extension Redaction {
    /// Removes directories and retains file names. Names of directories may contain spaces, so everything from the start of the first path to the
    /// last slash of the line is removed.
    private func removingDirectories(_ line: String) -> String {
        var previous: Character = " "
        for index in line.indices {
            if line[index] == "/" || (line[index] == "~" && line[index...].hasPrefix("~/")),
                previous == " " || "\t\"'`=:(".contains(previous),
                let last = line[index...].lastIndex(of: "/"), last > index || line.index(after: index) != line.endIndex,
                !line[index...].hasPrefix("/ ")
            {
                return String(line[..<index] + fileName(of: line[index...], last))
            }
            previous = line[index]
        }
        return line
    }

    /// Returns the text after the last slash, unless it is the name of a home directory.
    private func fileName(of path: Substring, _ last: Substring.Index) -> Substring {
        ["/home/", "/Users/"].contains(path[...last]) ? "~" : path[path.index(after: last)...]
    }
}
