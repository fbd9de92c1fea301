import Foundation

/// Icons inlined into style sheets, so that a page needs no request for each of them.
struct InlineIcons {
    /// The icons by their file names, as SVG.
    let icons: [String: String]

    /// Returns a style sheet without comments, with `url(back.svg)` replaced by the icon as a `data:` URL. Unknown names are unchanged.
    ///
    /// An icon is a mask, which browsers know under a prefixed name only before Chromium 120 and Safari 15.4.
    func inlined(into styleSheet: String) -> String {
        styleSheet.replacing(/\/\*.*?\*\//.dotMatchesNewlines(), with: "")
            .replacing(/(\bmask(?:-image)?): ([^;]+);/) { "-webkit-\($0.1): \($0.2); \($0.1): \($0.2);" }
            .replacing(/url\(([\w-]+\.svg)\)/) { match in
                icons[String(match.1)].map { "url(\"\(Self.dataURL(of: $0))\")" } ?? String(match.0)
            }
    }

    /// Returns the names of the icons in a style sheet.
    func names(in styleSheet: String) -> Set<String> {
        Set(styleSheet.matches(of: /url\(([\w-]+\.svg)\)/).map { String($0.1) }).intersection(icons.keys)
    }

    /// Returns a `data:` URL for use in double quotes, which excludes quotes, `%`, `#` and line breaks.
    private static func dataURL(of icon: String) -> String {
        let text = icon.replacing("%", with: "%25").replacing("#", with: "%23").replacing("\"", with: "'").replacing("\n", with: " ")
        return "data:image/svg+xml," + text.trimmingCharacters(in: .whitespaces)
    }
}
