extension String {
    /// The text without characters that could move a terminal's cursor or reorder the following text.
    ///
    /// Servers are not trusted. Control characters and line breaks become spaces. Format characters (general category Cf: bidirectional controls and
    /// other invisible ones) are removed, except the joiners that emoji and some scripts need.
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
