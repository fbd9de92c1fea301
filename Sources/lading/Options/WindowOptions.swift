import ArgumentParser
import Window

/// Where the window listens.
struct WindowOptions: ParsableArguments {
    @Option(help: "The port of the web page; 0 takes any that is free.")
    var port = 8080

    @Option(help: "The address to listen on; 0.0.0.0 lets other machines in.")
    var host = "127.0.0.1"

    func validate() throws {
        if !(0...65_535).contains(port) { throw ValidationError("--port takes a number from 0 to 65535.") }
    }

    var configuration: WindowConfiguration { WindowConfiguration(host: host, port: port) }
}
