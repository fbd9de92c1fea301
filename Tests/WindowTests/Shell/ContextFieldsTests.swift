import Mustache
import Testing

@testable import Window

/// The fields of contexts, as templates find them.
@Suite struct ContextFieldsTests {
    @Test func `Contexts without reflection have all of their stored properties`() {
        let time = TemplateContext.Time(dateTime: "2026-05-15T16:00Z", text: "16:00")
        let row = TemplateContext.DispatchRow(
            id: "1", href: "/", title: "Breakfast", address: "1 Quay Street", state: "open", stateText: "Open", due: time, price: "4.50",
            courier: "Mina", attention: ["Overdue"])

        for context in [time, row] as [any MustacheParent] {
            let names = Mirror(reflecting: context).children.compactMap(\.label)
            #expect(names.count > 1 && names.filter { context.child(named: $0) == nil } == [])
        }
    }

    @Test func `A section of texts has each of them, and variables of the page around it`() throws {
        struct Page: TemplateFields {
            let name = "Mina"
            let texts = ["<a>", "b"]
        }
        let template = try MustacheTemplate(string: "{{#texts}}{{.}} {{name}};{{/texts}}")

        #expect(template.render(ContextFields(of: Page())) == "&lt;a&gt; Mina;b Mina;")
    }
}
