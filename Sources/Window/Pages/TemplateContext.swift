/// What the templates are rendered with: each struct is the context of the template of its name, as text and numbers.
///
/// An optional that is nil hides its section.
enum TemplateContext {
    struct Page: TemplateFields {
        let lang: String
        let dir: String
        let title: String
        let version: String
        let screen: String
        let plainURL: String?
        let plain: Bool
        let earlyScript: String?
        let script: String?
        let style: String?
        let modules: [String]
        let content: String
    }

    struct Start: TemplateFields {
        let ordersURL = "/orders"
        let deliveriesURL = "/deliveries"
        let photosURL = "/photos"
        let version: String
        let languages: LanguageChoice
        let texts: LocalizedStrings
    }

    /// The form in which a language is chosen by hand.
    struct LanguageChoice: TemplateFields {
        /// Where the choice leads back to.
        let back: String
        let choices: [Choice]

        struct Choice: TemplateFields {
            let tag: String
            let dir: String
            let name: String
            let current: Bool
        }

        init(of language: Language, back: String) {
            self.back = back
            choices = Language.allCases.map { Choice(tag: $0.tag, dir: $0.direction, name: $0.nativeName, current: $0 == language) }
        }
    }

    struct Field: TemplateFields {
        let name: String
        let value: String
    }

    /// A form that reloads the page; scripts answer it without a reload.
    struct Reload: TemplateFields {
        let action: String
        let fields: [Field]
    }

    struct RetryNotice: TemplateFields {
        let title: String
        let problem: String
        let details: String
    }

    struct Failure: TemplateFields {
        let title: String
        let problem: String
        let details: String
        /// Where the details can be read in the place of a row of fixed height; nil where there is no other page.
        var href: String?
        let action: String
        let fields: [Field]
    }

    /// A moment, or a text that could not be read as one.
    struct Time: TemplateFields {
        /// As HTML's `time` has it, from which a page tells it on the reader's clock; nil for such a text.
        let dateTime: String?
        let text: String
    }

    struct Map: TemplateFields {
        let latitude: Double
        let longitude: Double
        let zoom: Int
        let radiusInMeters: Double
        let radiusInPixels: Double
        let tilesPath = "/tiles"
        /// The query of the tiles' addresses.
        let tilesQuery: String?
        /// Whether the tiles are drawn in known colours.
        let isInvertible: Bool
        let tiles: [MapTile]
        let label: String
        /// The text at the pin.
        let street: String?
        let attribution: String
    }

    /// What stands in the place of a map.
    struct NoMap: TemplateFields {
        let message: String
        let coordinates: String?
    }

    struct MapTile: TemplateFields {
        let href: String
        let x: Int
        let y: Int
    }

    struct Problem: TemplateFields {
        let heading: String
        let message: String
        /// What the program says of the problem; nil where that is no more.
        var details: String?
        let href: String
        let linkText: String
        let texts: LocalizedStrings
    }
}

extension TemplateContext.Time {
    init(_ time: DisplayTime, _ text: String) {
        self.init(dateTime: time.dateTimeAttribute, text: text)
    }
}
