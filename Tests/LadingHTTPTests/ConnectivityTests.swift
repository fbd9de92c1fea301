import LadingHTTP
import LadingOperations
import LadingTesting
import Testing

@Suite struct ConnectivityTests {
    @Test func `AlwaysConnected is unmetered, and AlwaysActive is active`() async {
        var states: [ConnectivityState] = []
        var phases: [AppPhase] = []

        for await state in AlwaysConnected().states() { states.append(state) }
        for await phase in AlwaysActive().phases() { phases.append(phase) }

        #expect(states == [.unmetered])
        #expect(phases == [.active])
    }

    @Test func `Every reader of a connectivity receives its changes`() async {
        let network = ManualConnectivity()
        var readers = [network.states().makeAsyncIterator(), network.states().makeAsyncIterator()]
        for index in readers.indices { #expect(await readers[index].next() == .unmetered) }

        network.setState(.offline)

        #expect(network.state == .offline)
        for index in readers.indices { #expect(await readers[index].next() == .offline) }
    }

    @Test func `A slow reader receives the newest phase, and none twice`() async {
        let program = ManualLifecycle()
        var phases = program.phases().makeAsyncIterator()
        #expect(await phases.next() == .active)

        program.setPhase(.inactive)
        program.setPhase(.background)
        #expect(await phases.next() == .background)

        program.setPhase(.background)
        program.setPhase(.active)
        #expect(await phases.next() == .active)
    }

    @Test func `While offline, network work waits and other work runs; network work resumes with the network`() throws {
        let executor = ManualTaskExecutor()
        let queue = BackendQueue(executor: executor)
        let network = ManualConnectivity(.offline)
        let following = Task(executorPreference: executor) { await queue.observe(network) }
        executor.runAll()
        let download = BackendOperation("download", lane: .network("example.org")) { 1 }
        let parse = BackendOperation("parse", lane: .cpu) { 2 }

        queue.submit(download, priority: .visible)
        queue.submit(parse, priority: .visible)
        executor.runAll()
        #expect(download.state == .ready)
        #expect(try parse.result?.get() == 2)

        network.setState(.metered)
        executor.runAll()
        #expect(try download.result?.get() == 1)
        following.cancel()
    }

    @Test func `No work starts in the background, and cancelling the observation resumes the lanes`() throws {
        let executor = ManualTaskExecutor()
        let queue = BackendQueue(executor: executor)
        let program = ManualLifecycle(.background)
        let following = Task(executorPreference: executor) { await queue.observe(program) }
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
