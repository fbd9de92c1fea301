import LadingHTTP

/// Takes out of a text what is nobody's business: addresses of memory and of hosts, URLs, keys, tokens, people, and where files lie.
///
/// A report may go to strangers, so that it loses more than `SecretRedaction` replaces everywhere. It works on any text, line by line, and would rather take a word too many than leave one too few: what a backtrace is read for, names of functions
/// and lines of files, stays.
package struct Redaction: Sendable {
    /// How much of a text is kept: lines, and characters of a line.
    static let lineLimit = 400
    static let lineLengthLimit = 800

    /// Words that are taken out wherever they stand alone, in lower case.
    private let names: Set<String>

    /// - Parameter names: Who and where: the names of user and machine. Those with fewer than three letters are left in.
    package init(names: [String] = []) {
        self.names = Set(names.map { $0.lowercased() }.filter { $0.count > 2 && $0 != "lading" })
    }

    /// The text without all of that.
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
    /// From the first letter of the scheme to the next space or quote, whatever is in between.
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
    /// Ends a word; all else belongs to it.
    private static let wordSeparators = Set(" \t\r\"'`()[]{}<>,;|")

    private func redactedWords(of line: String) -> String {
        var result = ""
        var rest = Substring(line)
        while !rest.isEmpty {
            let word = rest.prefix { !Self.wordSeparators.contains($0) }
            rest = rest[word.endIndex...]
            if Self.precedesSecret(word, before: rest) { return result + word + " <secret>" }
            result += redacted(word: String(word))
            let between = rest.prefix { Self.wordSeparators.contains($0) }
            result += between
            rest = rest[between.endIndex...]
        }
        return result
    }

    /// Whether all that follows on the line is a secret: `Authorization: …`, `password=…`, `Bearer …`.
    private static func precedesSecret(_ word: Substring, before rest: Substring) -> Bool {
        guard let end = rest.first, " \t\"'".contains(end) else { return false }
        if ["bearer", "basic"].contains(word.lowercased()) { return true }
        let next = rest.drop { $0 == " " }
        if next.hasPrefix("= ") || next.hasPrefix(": ") { return SecretDetector.isSecret(name: word) }
        guard let last = word.last, last == ":" || last == "=" else { return false }
        return SecretDetector.isSecret(name: word.dropLast())
    }

    private func redacted(word: String) -> String {
        if names.contains(word.lowercased()) { return "<name>" }
        if word.contains("@"), !word.hasPrefix("@") { return "<e-mail>" }
        if HostDetector.isAddress(word) { return "<address>" }
        return SecretDetector.redacted(word)
    }
}

// MARK: - Folders

extension Redaction {
    /// Keeps the names of files, and drops where they lie. A folder may have spaces in its name, so all goes from where the first path begins to
    /// the last slash of the line.
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

    /// What follows the last slash, unless that is the name of somebody's home.
    private func fileName(of path: Substring, _ last: Substring.Index) -> Substring {
        ["/home/", "/Users/"].contains(path[...last]) ? "~" : path[path.index(after: last)...]
    }
}
