import Testing

@testable import Origin

@Suite("Fault plan")
struct FaultPlanTests {
    private let path = "/swift-concurrency/order-1.xml"

    @Test(arguments: [
        ("0", 0.0, Fault.allCases), ("1", 1, Fault.allCases), ("0.25", 0.25, Fault.allCases), ("20%", 0.2, Fault.allCases),
        ("100%", 1, Fault.allCases), ("1%", 0.01, Fault.allCases),
        ("1,500", 1, [.serverError]), ("20%,truncate,delay,delay", 0.2, [.delay, .truncate]),
        ("1,malformed,hangup,truncate,delay,500", 1, Fault.allCases),
    ])
    func `A plan is parsed from a rate and fault names`(text: String, rate: Double, faults: [Fault]) throws {
        let plan = try FaultPlan(text)

        #expect(plan.rate == rate)
        #expect(plan.faults == faults)
    }

    @Test(arguments: ["", "x", "-0.1", "1.1", "101%", "nan", "inf", "%", ",500", "500"])
    func `An invalid rate is refused with a hint`(text: String) {
        let error = #expect(throws: FaultPlan.FormatError.self) { try FaultPlan(text) }

        #expect(error?.description.contains("use a number from 0 to 1, a percentage") == true)
    }

    @Test(arguments: ["1,", "1,404", "1,500,,delay", "1, 500"])
    func `An unknown fault is refused with the known ones`(text: String) {
        let error = #expect(throws: FaultPlan.FormatError.self) { try FaultPlan(text) }

        #expect(error?.description.contains("use 500, delay, hangup, truncate, malformed") == true)
    }

    @Test func `The original plan is selected by name and fails one request in nine`() throws {
        let plan = try FaultPlan("original")

        #expect(plan == .original && plan.isOriginal)
        let faults = (1...9_000).compactMap { plan.fault(inRequest: $0, for: path) }
        #expect((900...1_100).contains(faults.count))
        #expect(Set(faults) == [.serverError])
        let delays = (1...1_000).map { plan.delay(ofRequest: $0, for: path) }
        #expect(delays.allSatisfy { (.zero ... .milliseconds(4_000)).contains($0) })
        #expect(delays.contains { $0 < .milliseconds(500) })
        #expect(Set((1...1_000).map { plan.contentSeed(ofRequest: $0, for: path) }).count == 1_000)
    }

    @Test func `Faults occur at the given rate and equally often`() {
        let plan = FaultPlan(rate: 0.3)

        let faults = (1...10_000).compactMap { plan.fault(inRequest: $0, for: path) }

        #expect((2_800...3_200).contains(faults.count))
        for fault in Fault.allCases { #expect((500...700).contains(faults.count { $0 == fault })) }
    }

    @Test func `A rate of 0 or 1 affects no or all responses`() {
        #expect((1...1_000).allSatisfy { FaultPlan(rate: 1, faults: [.hangup]).fault(inRequest: $0, for: path) == .hangup })
        #expect((1...1_000).allSatisfy { FaultPlan(rate: 0).fault(inRequest: $0, for: path) == nil })
    }

    @Test func `A fault depends only on seed, path and request number`() {
        func faults(_ plan: FaultPlan, _ path: String) -> [Fault?] { (1...50).map { plan.fault(inRequest: $0, for: path) } }
        let plan = FaultPlan(rate: 0.5)

        #expect(faults(plan, path) == faults(FaultPlan(rate: 0.5, faults: Fault.allCases.reversed()), path))
        #expect(faults(plan, path) != faults(FaultPlan(rate: 0.5, seed: 2), path))
        #expect(faults(plan, path) != faults(plan, "/swift-concurrency/order-2.xml"))
    }

    @Test func `Delays are from half a second to four`() {
        let delays = (1...1_000).map { FaultPlan(rate: 1).delay(ofRequest: $0, for: path) }

        #expect(delays.allSatisfy { (.milliseconds(500) ... .milliseconds(4_000)).contains($0) })
        #expect(Set(delays).count > 500)
    }
}
