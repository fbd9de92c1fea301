import Mustache

/// A context whose fields have been read out once. The template library by itself would reflect on a context anew for each variable, which
/// took most of the time of a page.
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

    /// A field as the templates read it; nil for an optional that is nil.
    private static func readable(_ value: Any) -> Any? {
        switch value {
        case is String, is Bool, is Int: value
        case let context as any TemplateFields: ContextFields(of: context)
        case let contexts as [any TemplateFields]: contexts.map { ContextFields(of: $0) }
        default: Mirror(reflecting: value).displayStyle == .optional ? nil : value
        }
    }
}

/// The context of a template, or of a section of one, whose stored properties are what it can name.
protocol TemplateFields {}
