/// The texts without a value in them, by subject.
///
/// A subject is a struct whose stored properties are phrases. Templates find a phrase by its name, whichever subject it belongs to.
struct StringCatalog: Sendable {
    let start = StartTexts()
    let list = ListTexts()
    let search = SearchTexts()
    let order = OrderTexts()
    let delivery = DeliveryTexts()
    let photo = PhotoDocuments()
    let problems = ProblemTexts()
    let offlinePage = OfflineTexts()
    let operations = OperationTexts()
    let outcomes = OutcomeTexts()
    let schedulingReasons = SchedulingReasonTexts()

    /// Every phrase of every subject with its name, by reflection: a key path does not tell its name.
    var phrases: [(name: String, phrase: Phrase)] {
        Mirror(reflecting: self).children.flatMap { subject in
            Mirror(reflecting: subject.value).children.compactMap { text in
                text.label.flatMap { name in (text.value as? Phrase).map { (name, $0) } }
            }
        }
    }
}
