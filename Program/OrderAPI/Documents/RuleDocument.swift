package import JSONWriting
package import OrderStorage

extension BrokenRule {
    /// Writes the code and the facts, by their names.
    package func write(to json: inout JSONWriter) {
        json.field("code", code)
        for fact in facts {
            switch fact {
            case .number(let name, let number): json.field(name, number: number)
            case .text(let name, let text): json.field(name, text)
            case .texts(let name, let texts): json.field(name, array: texts) { text, json in json.string(text) }
            }
        }
    }
}

/// The rules of requests, besides those of `OrderContentRules` and of files.
extension BrokenRule {
    static let missing = BrokenRule("empty")
    static let time = BrokenRule("time")
    static let number = BrokenRule("number")
    static let wholeNumber = BrokenRule("whole-number")
    static let coordinateIncomplete = BrokenRule("coordinate-incomplete")
    static let courier = BrokenRule("courier")
    static let currency = BrokenRule("currency")
    static let timeZone = BrokenRule("time-zone")
}
