import Foundation
import Mustache

/// A renderer of the templates: whole pages, and the fragments in events.
struct PageRenderer: Sendable {
    /// The version of the assets, which is part of their URLs.
    let version: String
    private let library: MustacheLibrary

    /// Reads every template in a folder, without its subfolders; a template is named after its file.
    ///
    /// - Throws: An error when a template cannot be read or parsed.
    init(resources folder: URL, version: String) throws {
        MustacheContentTypes.register(HTMLEscaping(), named: HTMLEscaping.name)
        var library = MustacheLibrary()
        for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        where file.pathExtension == "mustache" {
            let template = try String(contentsOf: file, encoding: .utf8)
            let name = file.deletingPathExtension().lastPathComponent
            try library.register("{{% CONTENT_TYPE: \(HTMLEscaping.name)}}\n\(template)", named: name)
        }
        self.library = library
        self.version = version
    }

    /// Returns a template rendered with a context.
    func fragment(_ template: Template, _ context: some TemplateFields) -> String {
        library.render(ContextFields(of: context), withTemplate: template.rawValue) ?? ""
    }

    /// Returns a complete page with a rendered template as its content.
    func page(
        _ template: Template, _ context: some TemplateFields, title: String, in language: Language, plainURL: String? = nil,
        isPlain: Bool = false
    ) -> String {
        let page = TemplateContext.Page(
            lang: language.tag, dir: language.direction, title: title, version: version, screen: template.screen,
            plainURL: plainURL, plain: isPlain, earlyScript: template.earlyScript, script: template.script, style: template.style,
            modules: isPlain ? [] : template.modules, content: fragment(template, context))
        return library.render(ContextFields(of: page), withTemplate: "page") ?? ""
    }

    /// The templates that are rendered by name.
    enum Template: String, CaseIterable {
        case start, orders, order, deliveries, delivery, rovers, photos, photo, operations, offline, error, unsent, dispatch
        case signIn = "sign-in"
        case orderRow = "order-row"
        case orderDetail = "order-detail"
        case courierList = "courier-list"
        case courierRow = "courier-row"
        case courierOrder = "courier-order"
        case courierDetail = "courier-detail"
        case dispatchTable = "dispatch-table"
        case dispatchOrder = "dispatch-order"
        case dispatchDetail = "dispatch-detail"
        case dispatchForm = "dispatch-form"
        case dispatchImport = "dispatch-import"
        case dispatchImportResult = "dispatch-import-result"
        case deliveryRow = "delivery-row"
        case deliveryDetail = "delivery-detail"
        case photoCell = "photo-cell"
        case solChoice = "sol-choice"

        /// The name of the page in style sheets.
        fileprivate var screen: String {
            switch self {
            case .courierList: Self.orders.rawValue
            case .courierOrder, .dispatchOrder: Self.order.rawValue
            case .unsent: Self.error.rawValue
            default: rawValue
            }
        }

        /// The script of the page; nil when it needs none.
        fileprivate var script: String? {
            switch self {
            case .operations: "operations.js"
            case .orders, .order: "app.js"
            case .courierList, .courierOrder: "couriers.js"
            case .dispatch, .dispatchOrder: "dispatch.js"
            case .dispatchForm: "dispatch-form.js"
            case .dispatchImport: "dispatch-import.js"
            case .deliveries, .delivery: "deliveries.js"
            case .photos: "photos.js"
            case .photo: "photo.js"
            case .signIn: "sign-in.js"
            default: nil
            }
        }

        /// The script that runs before the first paint, unlike modules.
        fileprivate var earlyScript: String? {
            switch self {
            case .rovers, .photos, .photo: "transition.js"
            default: nil
            }
        }

        /// The style sheet in addition to the common one.
        fileprivate var style: String? {
            switch self {
            case .start, .signIn: "start.css"
            case .operations: "operations.css"
            case .courierList, .courierOrder: "couriers.css"
            case .dispatch, .dispatchOrder, .dispatchForm, .dispatchImport: "dispatch.css"
            case .deliveries, .delivery: "deliveries.css"
            case .rovers, .photos, .photo: "photos.css"
            default: nil
            }
        }

        /// The modules that the page imports dynamically, preloaded with the other scripts.
        fileprivate var modules: [String] {
            switch self {
            case .order, .courierOrder, .dispatchOrder, .dispatchForm, .delivery: ["map.js"]
            default: []
            }
        }

        /// The scripts that pages request by name.
        static var scripts: Set<String> {
            let pages = allCases.compactMap(\.script) + allCases.compactMap(\.earlyScript) + allCases.flatMap(\.modules)
            return Set(pages + ["worker-client.js", "writes.js"])
        }
    }
}
