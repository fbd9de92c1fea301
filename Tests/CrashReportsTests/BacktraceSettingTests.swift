import Testing

@testable import CrashReports

@Suite struct BacktraceSettingTests {
    private let settings =
        "output-to=/d/backtrace,format=text,threads=crashed,registers=none,images=none,sanitize=yes,color=no,interactive=no"

    @Test(arguments: [nil, ""]) func `The setting sends backtraces to the file`(present: String?) {
        #expect(BacktraceSetting.value(for: "/d/backtrace", existing: present) == settings)
    }

    @Test func `Settings of the user take precedence`() {
        #expect(BacktraceSetting.value(for: "/d/backtrace", existing: "enable=no") == settings + ",enable=no")
    }

    @Test(arguments: ["", ",enable=no"]) func `A program that was restarted is not restarted again`(users: String) {
        #expect(BacktraceSetting.value(for: "/d/backtrace", existing: settings + users) == nil)
    }

    @Test func `A path with a comma yields no setting`() {
        #expect(BacktraceSetting.value(for: "/d,e/backtrace", existing: nil) == nil)
    }
}
