import Mustache

/// A template context whose fields were read once by reflection. Mustache itself reflects on a context for each variable, which dominates
/// the rendering time.
struct ContextFields: MustacheParent {
    private let byName: [String: Any]

    init(of context: some TemplateFields) {
        var byName: [String: Any] = [:]
        for field in Mirror(reflecting: context).children {
            if let name = field.label { byName[name] = Self.readable(field.value) }
        }
        self.byName = byName
    }

    func child(named name: String) -> Any? { byName[name] }

    /// Returns a field in the form that templates expect; nil for an optional that is nil.
    private static func readable(_ value: Any) -> Any? {
        switch value {
        case let text as String: ContextText(renderText: text)
        case let texts as [String]: texts.map(ContextText.init)
        case is Bool, is Int: value
        case let context as any TemplateFields: ContextFields(of: context)
        case let context as any MustacheParent: context
        case let contexts as [any TemplateFields]: contexts.map { ContextFields(of: $0) }
        default: Mirror(reflecting: value).displayStyle == .optional ? nil : value
        }
    }
}

/// A text of a template. Mustache itself converts a string by reflection, and looks for variables in it.
struct ContextText: MustacheCustomRenderable, MustacheParent {
    let renderText: String
    var isNull: Bool { false }

    func child(named name: String) -> Any? { nil }
}

/// A context of a template or of a section, whose stored properties are the template's variables.
protocol TemplateFields {}
