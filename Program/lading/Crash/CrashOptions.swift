import ArgumentParser

/// The options for crash reports.
struct CrashOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            After a crash, send the report to this URL, or that in @FILE, at the next start (POST, once). This option is your consent; \
            without it no report is ever sent. Reports are stored in the folder "crashes" of the data directory.
            """, valueName: "url"),
        transform: WebAddress.init(confidentialArgument:))
    var crashReports: WebAddress?
}
