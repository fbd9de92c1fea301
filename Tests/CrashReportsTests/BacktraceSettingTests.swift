import Testing

@testable import CrashReports

@Suite struct BacktraceSettingTests {
    private let ours =
        "output-to=/d/backtrace,format=text,threads=crashed,registers=none,images=none,sanitize=yes,color=no,interactive=no"

    @Test(arguments: [nil, ""]) func `Backtraces go to the file`(present: String?) {
        #expect(BacktraceSetting.text(for: "/d/backtrace", besides: present) == ours)
    }

    @Test func `What the user has set has the last word`() {
        #expect(BacktraceSetting.text(for: "/d/backtrace", besides: "enable=no") == ours + ",enable=no")
    }

    @Test(arguments: ["", ",enable=no"]) func `A program that was begun anew is not begun again`(users: String) {
        #expect(BacktraceSetting.text(for: "/d/backtrace", besides: ours + users) == nil)
    }

    @Test func `A file that cannot be named is left alone`() {
        #expect(BacktraceSetting.text(for: "/d,e/backtrace", besides: nil) == nil)
    }
}
