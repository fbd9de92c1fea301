import Testing

@testable import Window

@Suite("Fields of forms")
struct FormFieldsTests {
    @Test func `Fields beyond the limit are ignored`() {
        let fields = FormFields(String(repeating: "a=1&", count: FormFields.fieldLimit - 1) + "b=2&c=3&d=4")

        #expect(fields.all.count == FormFields.fieldLimit)
        #expect(fields["b"] == "2" && fields["c"] == nil)
    }
}
