// The state of the webhook.
extension Texts {
    /// Returns the number of changes that wait to be sent.
    func waitingChanges(_ count: Int) -> String {
        plural(
            count, en: TwoForms(one: "# change waits", other: "# changes wait"),
            de: TwoForms(one: "# Änderung wartet", other: "# Änderungen warten"), zh: OneForm(other: "# 項變更等候中"),
            ar: ArabicForms(
                zero: "لا تغييرات تنتظر", one: "تغيير واحد ينتظر", two: "تغييران ينتظران", few: "# تغييرات تنتظر", many: "# تغييرًا ينتظر",
                other: "# تغيير ينتظر"))
    }

    /// Returns the number of changes that are not sent any more.
    func abandonedChanges(_ count: Int) -> String {
        plural(
            count, en: TwoForms(one: "# change given up", other: "# changes given up"),
            de: TwoForms(one: "# Änderung aufgegeben", other: "# Änderungen aufgegeben"), zh: OneForm(other: "已放棄 # 項變更"),
            ar: ArabicForms(
                zero: "لا تغييرات متروكة", one: "تغيير واحد متروك", two: "تغييران متروكان", few: "# تغييرات متروكة",
                many: "# تغييرًا متروكًا",
                other: "# تغيير متروك"))
    }

    /// Returns the reason of the last failed attempt.
    func reason(_ failure: WebhookState.Failure) -> String {
        switch (failure.cause, failure.status) {
        case ("status", let status?): strings.webhookStatus.replacing("{status}", with: isolated("\(status)"))
        case ("unreachable", _): strings.webhookUnreachable
        case ("timed-out", _): strings.webhookTimedOut
        case ("interrupted", _): strings.webhookInterrupted
        default: isolated(failure.reason.truncated(to: Self.failureLimit))
        }
    }

    /// The maximum length of a reason of the API, in characters.
    private static let failureLimit = 200
}
