import ArgumentParser

/// The options for crash reports.
struct CrashOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            When the program has crashed, send the report to this address at the next start (POST, once). Giving the option is your \
            consent; without it nothing is ever sent. Reports lie in the folder "crashes" of the data directory.
            """, valueName: "url"))
    var crashReports: WebAddress?
}
