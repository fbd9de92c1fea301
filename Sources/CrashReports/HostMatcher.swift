/// A detector of host addresses among function names, file names and times.
enum HostMatcher {
    private static let topLevelDomains: Set = [
        "com", "org", "net", "edu", "gov", "mil", "int", "io", "dev", "app", "cloud", "local", "localdomain", "internal", "intranet", "lan",
        "home",
        "corp", "test", "example", "invalid", "localhost", "arpa", "info", "biz", "onion",
    ]
    private static let sourceFileExtensions: Set = ["swift", "c", "cc", "cpp", "cxx", "h", "hpp", "m", "mm", "s", "inc", "def"]

    /// Whether a word is an IP address or a host name, with or without a port.
    static func isAddress(_ word: String) -> Bool {
        let word = trimmed(word)
        return isIPv6(word) || isIPv4(removingPort(word)) || isHostName(word)
    }

    private static func trimmed(_ word: String) -> Substring {
        var word = Substring(word)
        while let last = word.last, last == "." || last == "!" || (last == ":" && !word.hasSuffix("::")) { word = word.dropLast() }
        return word
    }

    private static func removingPort(_ word: Substring) -> Substring {
        guard let colon = word.lastIndex(of: ":"), word[colon...].count > 1, word[colon...].dropFirst().allSatisfy(\.isNumber) else {
            return word
        }
        return word[..<colon]
    }

    private static func isIPv4(_ word: Substring) -> Bool {
        let parts = word.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts.allSatisfy { part in part.allSatisfy(\.isASCII) && UInt8(part) != nil }
    }

    /// Whether a word is an IPv6 address. Times have two colons and source locations one; five or more also match MAC addresses.
    private static func isIPv6(_ word: Substring) -> Bool {
        let address = word.prefix { $0 != "%" && $0 != "/" }
        guard address.count > 2, address.allSatisfy({ $0.isHexDigit || $0 == ":" || $0 == "." }) else { return false }
        return address.contains("::") || address.count { $0 == ":" } >= 5
    }

    private static func isHostName(_ word: Substring) -> Bool {
        let name = removingPort(word)
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        guard let last = labels.last.map({ $0.lowercased() }), labels.allSatisfy({ isLabel($0) }) else { return false }
        if last == "localhost", name.count < word.count { return true }
        guard labels.count > 1, !sourceFileExtensions.contains(last), last.allSatisfy(\.isLetter) else { return false }
        return topLevelDomains.contains(last) || name.count < word.count
            || (labels.count > 2 && last.count == 2 && name == name.lowercased())
    }

    private static func isLabel(_ label: Substring) -> Bool {
        !label.isEmpty && label.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }
    }
}
