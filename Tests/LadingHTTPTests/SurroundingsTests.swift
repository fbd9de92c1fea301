import LadingHTTP
import LadingOperations
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

    @Test func `Without a network, work that needs it waits, all other work goes on, and it goes on when the network is back`() throws {
        let executor = ManualTaskExecutor()
        let queue = BackendQueue(executor: executor)
        let network = ManualConnectivity(.offline)
        let following = Task(executorPreference: executor) { await queue.follow(network) }
        executor.runAll()
        let download = BackendOperation("download", lane: .network("example.org")) { 1 }
        let parse = BackendOperation("parse", lane: .cpu) { 2 }

        queue.submit(download, priority: .visible)
        queue.submit(parse, priority: .visible)
        executor.runAll()
        #expect(download.state == .ready)
        #expect(try parse.result?.get() == 2)

        network.become(.metered)
        executor.runAll()
        #expect(try download.result?.get() == 1)
        following.cancel()
    }

    @Test func `In the background nothing starts; who stops following leaves nothing paused`() throws {
        let executor = ManualTaskExecutor()
        let queue = BackendQueue(executor: executor)
        let program = ManualLifecycle(.background)
        let following = Task(executorPreference: executor) { await queue.follow(program) }
        executor.runAll()
        let parse = BackendOperation("parse", lane: .cpu) { 2 }

        queue.submit(parse, priority: .visible)
        executor.runAll()
        #expect(parse.state == .ready)

        following.cancel()
        executor.runAll()
        #expect(try parse.result?.get() == 2)
    }
}
