import Foundation

/// A searchable text in UTF-8, without case, diacritics and width.
package struct FoldedText: Hashable, Sendable {
    package private(set) var bytes: [UInt8] = []

    package init(_ parts: String...) {
        self.init(parts)
    }

    package init(_ parts: [String]) {
        bytes.reserveCapacity(parts.reduce(0) { $0 + $1.utf8.count + 1 })
        for part in parts {
            // Separate lines, so that no word matches across parts.
            if !bytes.isEmpty { bytes.append(UInt8(ascii: "\n")) }
            append(part)
        }
    }

    package func contains(_ word: [UInt8]) -> Bool {
        guard let first = word.first, word.count <= bytes.count else { return word.isEmpty }
        return bytes.withUnsafeBufferPointer { text in
            word.withUnsafeBufferPointer { word in
                for start in 0...(text.count - word.count) where text[start] == first {
                    if memcmp(text.baseAddress! + start, word.baseAddress!, word.count) == 0 { return true }
                }
                return false
            }
        }
    }

    private mutating func append(_ text: String) {
        let start = bytes.count
        for byte in text.utf8 {
            guard byte < 0x80 else {
                bytes.removeSubrange(start...)
                return appendFolded(text)
            }
            bytes.append(byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte)
        }
    }

    private mutating func appendFolded(_ text: String) {
        for scalar in text.decomposedStringWithCompatibilityMapping.unicodeScalars where !scalar.isDiacritic {
            for scalar in scalar.properties.lowercaseMapping.unicodeScalars where !scalar.isDiacritic {
                bytes += Self.replacements[scalar]?.utf8 ?? String(scalar).utf8
            }
        }
    }

    /// The replacements of letters that Unicode does not decompose.
    private static let replacements: [Unicode.Scalar: String] = [
        "ø": "o", "ł": "l", "đ": "d", "ð": "d", "ħ": "h", "ŧ": "t", "ı": "i", "ß": "ss", "æ": "ae", "œ": "oe", "þ": "th", "ς": "σ",
    ]
}

extension Unicode.Scalar {
    /// Whether the scalar is an optional mark in Latin, Greek, Cyrillic, Hebrew or Arabic script.
    fileprivate var isDiacritic: Bool {
        switch value {
        case 0x300...0x6FF, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE20...0xFE2F:
            properties.generalCategory == .nonspacingMark
        default: false
        }
    }
}
