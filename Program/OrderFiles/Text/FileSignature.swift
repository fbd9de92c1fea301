/// A kind of file that contains no plain text, detected from its first bytes.
package enum FileSignature: String, CaseIterable, Sendable {
    case zip, xls, gzip, bzip2, zstandard, xz, sevenZip, rar, pdf, sqlite, rtf

    /// The largest number of bytes of a signature.
    static let lengthLimit = 8

    /// Creates the kind of a file with this beginning; nil for a text.
    init?(_ bytes: [UInt8]) {
        guard let kind = Self.allCases.first(where: { bytes.starts(with: $0.bytes) }) else { return nil }
        self = kind
    }

    private var bytes: [UInt8] {
        switch self {
        case .zip: [0x50, 0x4B, 0x03, 0x04]
        case .xls: [0xD0, 0xCF, 0x11, 0xE0]
        case .gzip: [0x1F, 0x8B]
        case .bzip2: [0x42, 0x5A, 0x68]
        case .zstandard: [0x28, 0xB5, 0x2F, 0xFD]
        case .xz: [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00]
        case .sevenZip: [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C]
        case .rar: [0x52, 0x61, 0x72, 0x21, 0x1A, 0x07]
        case .pdf: [0x25, 0x50, 0x44, 0x46, 0x2D]
        case .sqlite: [0x53, 0x51, 0x4C, 0x69, 0x74, 0x65, 0x20, 0x66]
        case .rtf: [0x7B, 0x5C, 0x72, 0x74, 0x66]
        }
    }

    /// The kind with an article, and an instruction for its user.
    var text: String {
        switch self {
        case .zip: "an Excel or OpenDocument workbook or a zip archive: save the sheet as \"CSV UTF-8\""
        case .xls: "an Excel 97 workbook: save the sheet as \"CSV UTF-8\""
        case .gzip, .bzip2, .zstandard, .xz: "compressed with \(rawValue): decompress it first"
        case .sevenZip: "a 7z archive: extract it first"
        case .rar: "a RAR archive: extract it first"
        case .pdf: "a PDF document: save the table as \"CSV UTF-8\""
        case .sqlite: "an SQLite database: export its table as CSV"
        case .rtf: "an RTF document: save the table as \"CSV UTF-8\""
        }
    }
}
