/// The texts without values, by subject.
///
/// A subject is a struct whose stored properties are phrases. Templates access a phrase by its name, regardless of the subject.
struct StringCatalog: Sendable {
    let start = StartTexts()
    let account = AccountTexts()
    let list = ListTexts()
    let search = SearchTexts()
    let order = OrderTexts()
    let couriers = CourierTexts()
    let dispatch = DispatchTexts()
    let rejections = RejectionTexts()
    let rules = RuleTexts()
    let fileRules = FileRuleTexts()
    let webhook = WebhookTexts()
    let delivery = DeliveryTexts()
    let photo = PhotoTexts()
    let problems = ProblemTexts()
    let offlinePage = OfflineTexts()
    let operations = OperationTexts()
    let outcomes = OutcomeTexts()
    let schedulingReasons = SchedulingReasonTexts()

    /// The phrases of all subjects with their names, by reflection: a key path has no name.
    var phrases: [(name: String, phrase: Phrase)] {
        Mirror(reflecting: self).children.flatMap { subject in
            Mirror(reflecting: subject.value).children.compactMap { text in
                text.label.flatMap { name in (text.value as? Phrase).map { (name, $0) } }
            }
        }
    }
}
