import Testing

extension Journeys.SecretsJourneyTests {
    @Test(arguments: [
        "run", "serve", "window", "orders", "order", "deliveries", "photos", "rovers", "download", "upload", "transfers", "proxy",
        "check", "cache-simulate", "people", "import", "export", "backup", "restore", "begin-epoch", "simulate",
    ])
    func `A usage error does not repeat secrets`(command: String) async throws {
        let address = "http://jane:hunter2@a.example/" + Self.query

        let run = try await Program.run(command, address, address, address)

        #expect(run.code == 64)
        expectNoSecret(in: run)
    }

    @Test(arguments: [
        ["window", "--tiles", "http://a.example/{z}/{x}/{y}.png?key=hunter2"],
        ["window", "--crash-reports", "http://a.example/?sig=hunter2"], ["run", "--orders-url", "http://jane:hunter2@a.example/"],
        ["deliveries", "--deliveries-url", "http://a.example/?token=hunter2"], ["serve", "--webhook", "http://a.example/?key=hunter2"],
        ["import", "orders.csv", "--geocoder", "http://a.example/?q={address}&key=hunter2"],
    ])
    func `A secret in an argument that other users could read is refused, and a file is recommended`(command: [String]) async throws {
        let run = try await Program.run(command)

        #expect(run.code == 64 && run.error.contains("write it into a file, and @FILE in its place"), "\(run.error)")
        expectNoSecret(in: run)
    }
}
