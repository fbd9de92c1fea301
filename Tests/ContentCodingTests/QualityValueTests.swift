import Testing

@testable import ContentCoding

@Suite("Quality values") struct QualityValueTests {
    @Test func `Weights are compared by value`() throws {
        let weights = try ["q=0", "q=0.001", "q=0.5", "q=0.75", "q=1"].map { try #require(QualityValue(Substring($0))) }

        #expect(weights == weights.sorted() && Set(weights).count == weights.count)
        #expect(weights.first == .unacceptable && weights.last == .highest)
        #expect(QualityValue("q=0.5") == QualityValue("q=0.500"))
        #expect(QualityValue("q=1.") == .highest && QualityValue("q=0.") == .unacceptable)
    }

    @Test(arguments: ["", "q", "q=", "q=2", "q=1.001", "q=0.1234", "q=-1", "q=.5", "q=a", "q=0.a", "q=１", "q =1", "q= 1", "level=1"])
    func `A malformed weight is rejected`(parameter: String) {
        #expect(QualityValue(Substring(parameter)) == nil)
    }
}
