import Foundation
import Testing

@testable import Window

@Suite("Dispatch: commands")
struct DispatchCommandTests {
    @Test(arguments: [
        (DispatchCommand.cancel, "courier=mina", "{}"),
        (.reassign, "courier=mina", #"{"courier":"mina"}"#),
        (.reassign, "", #"{"courier":""}"#),
        (.correct, "state=claimed&courier=mina", #"{"courier":"mina","state":"claimed"}"#),
        (.correct, "state=open&courier=", #"{"state":"open"}"#),
        (.correct, "", #"{"state":""}"#),
        (.accept, "report=2", #"{"report":2}"#),
        (.accept, "report=x", #"{"report":0}"#),
        (.accept, "report=nan", #"{"report":0}"#),
    ])
    func `The body of a command has the entries of its form`(command: DispatchCommand, form: String, body: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys

        let data = try encoder.encode(command.body(FormFields(form)))

        #expect(String(decoding: data, as: UTF8.self) == body)
    }
}
