import Foundation
import HTTPTypes
import HummingbirdTesting
import LadingHTTP
import LadingTesting
import NIOCore
import Testing

@testable import Window

extension DispatchRoutesTests {
    static let ownPage: HTTPFields = [HTTPField.Name("Sec-Fetch-Site")!: "same-origin", .contentType: "application/octet-stream"]

    @Test func `Faults of a file are in the language of the page, and those of an unknown rule as the API words them`() async throws {
        executor.script(
            "\(Self.api)/imports?mode=preview",
            .response(
                text: """
                    {"created":0,"existing":0,"orders":1,"faulty":2,"unlocated":0,"unlocatedAddresses":[],
                    "notices":["the column \\"colour\\" is unknown and was ignored"],"unknownColumns":["colour"],"faults":[
                    {"row":4,"column":"price","value":"cheap","detail":"must be an amount","rule":{"code":"price"}},
                    {"row":5,"column":"note","value":"x","detail":"must be nice","rule":{"code":"nice"}},
                    {"row":5,"column":"note","value":"x","detail":"must be short"}]}
                    """))

        let english = try await send(.post, "/dispatch/import?mode=preview", Self.ownPage, body: "x")
        let german = try await send(.post, "/dispatch/import?mode=preview", language: "de", Self.ownPage, body: "x")

        #expect(english.text.contains("must be an amount such as 42.50") && german.text.contains("muss ein Betrag wie 42.50 sein"))
        #expect(german.text.contains("must be nice") && german.text.contains("must be short"))
        #expect(german.text.contains("Die Spalte „colour“ ist unbekannt und wurde übergangen"))
        #expect(!german.text.contains("was ignored"))
    }

    @Test func `Numbers of faults beyond all limits are displayed`() async throws {
        executor.script(
            "\(Self.api)/imports?mode=preview",
            .response(
                text: """
                    {"orders":\(Int.max),"faulty":\(Int.min),"unlocated":\(Int.min),
                    "unlocatedAddresses":[{"row":\(Int.max),"address":"x"}],
                    "faults":[{"row":\(Int.min),"column":"note","value":"x","detail":"must be short"}]}
                    """))

        let response = try await send(.post, "/dispatch/import?mode=preview", Self.ownPage, body: "x")

        #expect(response.status == .ok && response.text.contains("must be short"))
    }

    @Test func `An accepted import that is not finished is no failure to save`() async throws {
        refuse("imports?mode=all", .serviceUnavailable, "import-unfinished", #""detail":"","final":false,"created":500,"existing":2"#)

        let response = try await send(.post, "/dispatch/import?mode=all", language: "de", Self.ownPage, body: "x")

        #expect(response.text.contains("Bisher angelegt: 500") && response.text.contains("Schon vorhanden: 2."))
        #expect(!response.text.contains("Nicht gespeichert"))
    }

    @Test func `A file that cannot be read, and a faulty option, are explained in the language of the page`() async throws {
        refuse("imports?mode=all", .unprocessableContent, "file-invalid", #""detail":"the file is empty","rule":{"code":"empty-file"}"#)
        refuse(
            "imports?mode=all&time-zone=Berlin", .badRequest, "invalid-request",
            #""detail":"\"time-zone\" must be a name","field":"time-zone","rule":{"code":"time-zone"}"#)

        let file = try await send(.post, "/dispatch/import?mode=all", language: "de", Self.ownPage, body: "x")
        let option = try await send(.post, "/dispatch/import?mode=all&time-zone=Berlin", language: "de", Self.ownPage, body: "x")

        #expect(file.text.contains("Nicht gespeichert: Die Datei ist leer"))
        #expect(option.text.contains("„Zeitzone von Zeiten ohne Zone“ muss ein Name wie Europe/Berlin sein"))
    }
}
