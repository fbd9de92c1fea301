import LadingHTTP
import Testing

@Suite struct ExponentialBackoffTests {
    @Test(arguments: [(0, 1.0), (1, 1.0), (2, 2.0), (3, 4.0), (4, 5.0), (70, 5.0), (Int.max, 5.0)])
    func `The delay doubles with each failure up to the cap`(failures: Int, seconds: Double) {
        let backoff = ExponentialBackoff(base: .seconds(1), cap: .seconds(5))

        #expect(backoff.maximumDelay(after: failures) == .seconds(seconds))
    }

    @Test func `A cap below the base limits all delays`() {
        let backoff = ExponentialBackoff(base: .seconds(2), cap: .zero)

        #expect(backoff.maximumDelay(after: 1) == .zero && backoff.maximumDelay(after: 9) == .zero)
    }
}
