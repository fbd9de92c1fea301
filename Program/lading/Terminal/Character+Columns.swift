extension Character {
    /// The width of the character in terminal columns: 2 for East Asian wide characters and emoji, 0 for combining characters.
    var columns: Int {
        guard let first = unicodeScalars.first else { return 0 }
        if first.isASCII, unicodeScalars.count == 1 { return 1 }
        let isEmoji = first.properties.isEmojiPresentation || unicodeScalars.contains("\u{FE0F}")
        return isEmoji ? 2 : unicodeScalars.reduce(0) { $0 + $1.columns }
    }
}

extension Unicode.Scalar {
    fileprivate var columns: Int {
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: 0
        default: isJoiningJamo ? 0 : isFullWidth ? 2 : 1
        }
    }

    /// Whether it is a vowel or a final consonant that is drawn into the preceding Hangul syllable.
    private var isJoiningJamo: Bool { (0x1160...0x11FF).contains(value) || (0xD7B0...0xD7FB).contains(value) }

    private var isFullWidth: Bool { Self.fullWidthRanges.contains { $0.contains(value) } }

    /// The scalars whose `East_Asian_Width` is wide or fullwidth (UAX #11), without emoji.
    private static let fullWidthRanges: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF,
        0xFE10...0xFE19, 0xFE30...0xFE6B, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18D08, 0x1AFF0...0x1B2FB, 0x1F200...0x1F265,
        0x20000...0x2FFFD, 0x30000...0x3FFFD,
    ]
}
