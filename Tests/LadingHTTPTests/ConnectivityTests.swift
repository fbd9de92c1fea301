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

    @Test func `A source of states is a connectivity, and one of phases a lifecycle`() async {
        let (network, program) = (StateSource(ConnectivityState.metered), StateSource(AppPhase.active))
        var states = network.states().makeAsyncIterator()
        var phases = program.phases().makeAsyncIterator()
        #expect(await states.next() == .metered)
        #expect(await phases.next() == .active)

        network.set(.offline)
        program.set(.background)

        #expect(network.state == .offline)
        #expect(program.phase == .background)
        #expect(await states.next() == .offline)
        #expect(await phases.next() == .background)
    }

    @Test func `In the background the operations of performed work start one after the other, and others wait`() throws {
        let executor = ManualTaskExecutor()
        let queue = BackendQueue(executor: executor)
        let activity = AppActivity(.background)
        let following = Task(executorPreference: executor) { await queue.observe(activity) }
        executor.runAll()
        let download = BackendOperation("download", lane: .network("example.org")) { 1 }
        let parse = BackendOperation("parse", lane: .cpu) { 2 }
        let later = BackendOperation("later", lane: .cpu) { 3 }

        Task(executorPreference: executor) {
            await activity.perform {
                _ = try? await queue.value(of: download, priority: .visible)
                _ = try? await queue.value(of: parse, priority: .visible)
            }
        }
        executor.runAll()
        #expect(activity.phase == .background)
        #expect(try download.result?.get() == 1)
        #expect(try parse.result?.get() == 2)

        queue.submit(later, priority: .visible)
        executor.runAll()
        #expect(later.state == .ready)

        activity.setPhase(.active)
        executor.runAll()
        #expect(try later.result?.get() == 3)
        following.cancel()
    }

    @Test func `Work in the background counts as inactive until the last of it has ended, and changes no other phase`() async {
        let activity = AppActivity(.background)
        var phases = activity.phases().makeAsyncIterator()
        #expect(await phases.next() == .background)

        await activity.perform {
            await activity.perform { #expect(activity.phase == .inactive) }
            #expect(activity.phase == .inactive)
            activity.setPhase(.active)
            #expect(activity.phase == .active)
        }

        #expect(await phases.next() == .active)
    }
}
