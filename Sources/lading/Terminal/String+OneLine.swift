extension String {
    /// Without what would move a terminal's cursor or turn the order of what follows: a server is not trusted with it.
    ///
    /// Control characters and line breaks become spaces. Format characters (general category Cf: the bidirectional controls and others that are not
    /// seen) are left out, but for the joiners that emoji and some scripts are written with.
    var oneLine: String {
        var line = UnicodeScalarView()
        for scalar in unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: line.append(" ")
            case .format where scalar != "\u{200C}" && scalar != "\u{200D}": continue
            default: line.append(scalar)
            }
        }
        return String(line)
    }
}
