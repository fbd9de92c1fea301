import Foundation
import Testing

@testable import Window

@Suite struct TileTemplateTests {
    @Test(arguments: [
        ("https://a.org/{z}/{x}/{y}.png", "https://a.org/15/9656/12313.png"),
        ("http://127.0.0.1:9000/tiles/{x}-{y}@{z}", "http://127.0.0.1:9000/tiles/9656-12313@15"),
        ("https://a.org/t?x={x}&y={y}&z={z}", "https://a.org/t?x=9656&y=12313&z=15"),
        ("https://a.org/t?x={x}&y={y}&z={z}&key=s%20ecret", "https://a.org/t?x=9656&y=12313&z=15"),
        ("https://a.org/{z}/{x}/{y}.png?key=secret", "https://a.org/15/9656/12313.png"),
    ])
    func `Placeholders are replaced by numbers, and constant query items are omitted`(text: String, url: String) throws {
        let tile = try #require(Tile(zoom: 15, x: 9_656, y: 12_313))

        #expect(try TileTemplate(text).url(of: tile)?.absoluteString == url)
    }

    @Test func `Constant query items are those without a placeholder`() throws {
        let template = try TileTemplate("https://a.org/t?x={x}&y={y}&z={z}&key=s%20ecret&style=light")

        #expect(
            template.constantItems == [URLQueryItem(name: "key", value: "s%20ecret"), URLQueryItem(name: "style", value: "light")])
        #expect(template.host == "a.org")
    }

    @Test(arguments: [
        ("https://a.org/{z}/{x}.png", TileTemplate.TemplateError.missingPlaceholder("{y}")), ("https://a.org/", .missingPlaceholder("{z}")),
        ("", .missingPlaceholder("{z}")), ("https://{s}.a.org/{z}/{x}/{y}", .unknownPlaceholder("{s}")),
        ("https://a.org/{z}/{x}/{y}{r}.png", .unknownPlaceholder("{r}")), ("https://a.org/{z}/{x}/{y", .unknownPlaceholder("{y")),
        ("https://{x}.a.org/{z}/{x}/{y}", .placeholderInHost), ("https://a.org:{z}/{z}/{x}/{y}", .placeholderInHost),
        ("ftp://a.org/{z}/{x}/{y}", .unsupportedScheme), ("file:///{z}/{x}/{y}", .unsupportedScheme), ("/{z}/{x}/{y}", .unsupportedScheme),
        ("a.org/{z}/{x}/{y}", .unsupportedScheme), ("https:///{z}/{x}/{y}", .unsupportedScheme),
    ])
    func `An invalid template is refused with its error`(text: String, flaw: TileTemplate.TemplateError) {
        #expect(throws: flaw) { try TileTemplate(text) }
    }

    @Test func `A template has a limited length`() {
        let text = "https://a.org/{z}/{x}/{y}?" + String(repeating: "a", count: TileTemplate.lengthLimit)

        #expect(throws: TileTemplate.TemplateError.tooLong) { try TileTemplate(text) }
    }
}
