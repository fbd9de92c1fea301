import Foundation
import Testing

@testable import ServerStartup

@Suite struct DescriptorLimitTests {
    private func limit() -> rlimit {
        var limit = rlimit()
        getrlimit(DescriptorLimit.resource, &limit)
        return limit
    }

    @Test func `The limit is raised as far as the system permits`() {
        var lower = limit()
        let maximum = DescriptorLimit.maximum(of: lower)
        // Other tests of the process must not notice it.
        lower.rlim_cur = maximum - 1
        #expect(setrlimit(DescriptorLimit.resource, &lower) == 0)

        DescriptorLimit.raise()

        #expect(limit().rlim_cur == maximum)
    }
}
