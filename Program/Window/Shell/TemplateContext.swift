import Mustache

/// The contexts of the templates: each struct belongs to the template of its name and contains texts and numbers.
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
        let dispatchURL = "/dispatch"
        let version: String
        /// Nil where nobody can sign in.
        let signInURL: String?
        let account: Account?
        /// Nil where the operations are for dispatchers.
        let operationsURL: String?
        let languages: LanguageChoice
        let texts: LocalizedStrings
    }

    /// The form that selects a language.
    struct LanguageChoice: TemplateFields {
        /// The path of the page to return to.
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

    /// A form that reloads the page; scripts handle it without a reload.
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
        /// The URL of a page that shows the details, which a row of fixed height has no space for; nil when there is none.
        var href: String?
        let action: String
        let fields: [Field]
    }

    /// A time, or a text that could not be parsed. Rows have one each, so its fields are found without reflection.
    struct Time: MustacheParent {
        /// The `datetime` attribute, from which the script formats the time in the browser's zone; nil for unparsed text.
        let dateTime: String?
        let text: String

        func child(named name: String) -> Any? {
            switch name {
            case "dateTime": dateTime.map(ContextText.init)
            case "text": ContextText(renderText: text)
            default: nil
            }
        }
    }

    struct Map: TemplateFields {
        let latitude: Double
        let longitude: Double
        let zoom: Int
        let radiusInMeters: Double
        let radiusInPixels: Double
        let tilesPath = "/tiles"
        /// The query of the tile URLs.
        let tilesQuery: String?
        /// Whether the colors of the tiles are known, so that they may be inverted.
        let hasKnownColors: Bool
        let tiles: [MapTile]
        let label: String
        /// The text at the pin.
        let street: String?
        let attribution: String
    }

    /// The replacement for a missing map.
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
        /// The technical details of the problem; nil for none.
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
