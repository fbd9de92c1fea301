/// What the templates are rendered with: each struct is the context of the template of its name, as text and numbers.
///
/// An optional that is nil hides its section.
enum TemplateContext {
    struct Page {
        let lang: String
        let dir: String
        let title: String
        let version: String
        let screen: String
        let plainURL: String?
        let plain: Bool
        let modules: [String]
        let content: String
    }

    struct Start {
        let ordersURL: String
        let version: String
        let texts: PlainTexts
    }

    struct Field {
        let name: String
        let value: String
    }

    /// A form that reloads the page; scripts answer it without a reload.
    struct Reload {
        let action: String
        let fields: [Field]
    }

    struct Orders {
        let backURL = "/"
        let heading: String
        let busy: Bool
        let error: String?
        let range: String?
        let empty: Bool
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

    struct Row {
        let id: String
        var index = 0
        var position = 1
        var count = -1
        var version = 0
        let state: String
        var odd = false
        let skeleton: Bool
        let spinning: Bool
        let failed: Failure?
        let loaded: LoadedRow?
        let texts: PlainTexts
    }

    struct Failure {
        let title: String
        let reason: String
        let action: String
        let fields: [Field]
    }

    struct LoadedRow {
        let href: String
        let title: String
        let address: String
        let price: String
        let currency: String
        let itemCount: String
        let date: String
        let radius: String
    }

    struct OrderPage {
        let backURL = "/orders"
        let window: String
        let version: Int
        let state: String
        let id: String
        let heading: String
        let skeleton: Bool
        let spinning: Bool
        let failed: Failure?
        let loaded: LoadedOrder?
        let texts: PlainTexts
    }

    struct LoadedOrder {
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

    struct Item {
        let name: String
        let quantity: String
        let unit: String
        let picture: String?
        let unknown: Bool
    }

    struct Map {
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

    struct MapTile {
        let href: String
        let x: Int
        let y: Int
    }

    struct Problem {
        let heading: String
        let message: String
        let href: String
        let linkText: String
    }
}
