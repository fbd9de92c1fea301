import Testing

@testable import LadingCommand

@Suite struct WindowOptionsTests {
    @Test(arguments: [(8080, 8081), (8081, 0), (0, 0)])
    func `A server beside a window takes another port than the window`(port: Int, expected: Int) {
        var options = WindowOptions()
        options.port = port

        #expect(options.originPort == expected)
    }
}
