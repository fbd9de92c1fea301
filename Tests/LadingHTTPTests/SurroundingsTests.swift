import LadingHTTP
import LadingTesting
import Testing

@Suite struct SurroundingsTests {
    @Test func `On a server the network is always there, and the program always in use`() async {
        var states: [ConnectivityState] = []
        var phases: [AppPhase] = []

        for await state in AlwaysConnected().states() { states.append(state) }
        for await phase in AlwaysActive().phases() { phases.append(phase) }

        #expect(states == [.unmetered])
        #expect(phases == [.active])
    }

    @Test func `A network that is told to go is gone for everybody`() async {
        let network = ManualConnectivity()
        var readers = [network.states().makeAsyncIterator(), network.states().makeAsyncIterator()]
        for index in readers.indices { #expect(await readers[index].next() == .unmetered) }

        network.become(.offline)

        #expect(network.state == .offline)
        for index in readers.indices { #expect(await readers[index].next() == .offline) }
    }

    @Test func `A slow reader sees the newest phase, and none twice`() async {
        let program = ManualLifecycle()
        var phases = program.phases().makeAsyncIterator()
        #expect(await phases.next() == .active)

        program.become(.inactive)
        program.become(.background)
        #expect(await phases.next() == .background)

        program.become(.background)
        program.become(.active)
        #expect(await phases.next() == .active)
    }
}
