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
        let script: String
        let style: String?
        let modules: [String]
        let content: String
    }

    struct Start: TemplateFields {
        let ordersURL: String
        let version: String
        let languages: LanguageChoice
        let texts: PlainTexts
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
            choices = Language.allCases.map { Choice(tag: $0.tag, dir: $0.direction, name: $0.ownName, current: $0 == language) }
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

    /// The form that searches and sorts, as it was last filled in.
    struct Arrange: TemplateFields {
        let search: String
        /// The names of the radio buttons; the one that is on is true.
        let price, priceDown, nearest, soonest, none: Bool

        /// - Parameter sort: The value of a radio button; nil, or one that does not exist, for none.
        init(search: String = "", sort: String? = nil) {
            self.search = search
            price = sort == "price"
            priceDown = sort == "priceDown"
            nearest = sort == "nearest"
            soonest = sort == "soonest"
            none = !(price || priceDown || nearest || soonest)
        }
    }

    struct Orders: TemplateFields {
        let backURL = "/"
        let heading: String
        let busy: Bool
        let error: String?
        let range: String?
        /// What stands under the title while an arrangement is active.
        var note: String?
        /// When the list was last fetched with success, in milliseconds since 1970.
        var at: Int?
        let empty: Bool
        /// Why nothing is shown; the text for a list without orders when nil.
        var emptyText: String?
        var arrange = Arrange()
        let window: String
        let list: Int
        let count: Int
        let from: Int
        let rows: [Row]
        let refresh: Reload
        let plain: Bool
        let previousURL: String?
        let nextURL: String?
        let texts: PlainTexts
    }

    struct Row: TemplateFields {
        let id: String
        /// The id as a part of an element's, in which no space may stand.
        let element: String
        var index = 0
        var position = 1
        var count = -1
        var version = 0
        let state: String
        var odd = false
        let skeleton: Bool
        let spinning: Bool
        /// What an attempt failed with that another one follows.
        var retrying: Setback?
        let failed: Failure?
        let loaded: LoadedRow?
        /// What kept a loaded row from being loaded anew.
        var stale: Failure?
        let texts: PlainTexts
    }

    struct Setback: TemplateFields {
        let title: String
        let reason: String
    }

    struct Failure: TemplateFields {
        let title: String
        let reason: String
        let action: String
        let fields: [Field]
    }

    struct LoadedRow: TemplateFields {
        let href: String
        let title: String
        let address: String
        let price: String
        let currency: String
        let itemCount: String
        let date: String
        let radius: String
    }

    struct OrderPage: TemplateFields {
        let backURL = "/orders"
        let window: String
        let version: Int
        let state: String
        let id: String
        let heading: String
        let skeleton: Bool
        let spinning: Bool
        var retrying: Setback?
        let failed: Failure?
        let loaded: LoadedOrder?
        let texts: PlainTexts
    }

    struct LoadedOrder: TemplateFields {
        let title: String
        let price: String
        let currency: String
        let date: String
        let address: String
        let radiusSentence: String
        let itemCount: String
        let navigateURL: String?
        let info: String?
        let map: Map?
        let items: [Item]
    }

    struct Item: TemplateFields {
        let name: String
        let quantity: String
        let unit: String
        let picture: String?
        let unknown: Bool
    }

    struct Map: TemplateFields {
        let latitude: Double
        let longitude: Double
        let zoom: Int
        let metres: Double
        let r: Double
        let tilesPath = "/tiles"
        let tiles: [MapTile]
        let label: String
        let attribution: String?
    }

    struct MapTile: TemplateFields {
        let href: String
        let x: Int
        let y: Int
    }

    /// A word of the engine and what it means.
    struct Term: TemplateFields {
        let name: String
        let text: String
    }

    struct OperationRow: TemplateFields {
        let time: String
        let operation: String
        let outcome: String
        let state: String
        let lane: String
        let law: String
    }

    struct Operations: TemplateFields {
        let backURL = "/"
        let laws: [Term]
        let outcomes: [Term]
        /// What was decided last, newest first.
        let rows: [OperationRow]
        let empty: Bool
        let texts: PlainTexts
    }

    struct Problem: TemplateFields {
        let heading: String
        let message: String
        let href: String
        let linkText: String
    }
}
