/// The texts of the operations page.
struct OperationTexts: Sendable {
    let operations = Phrase(en: "Operations", de: "Vorgänge", zh: "作業", ar: "العمليات")
    let operationsDescription = Phrase(
        en: "Scroll the orders in another tab and see here which operations run, wait, are shared or are cancelled.",
        de:
            "In einem anderen Tab durch die Bestellungen scrollen und hier sehen, welche Vorgänge laufen, warten, geteilt oder abgebrochen werden.",
        zh: "在另一個分頁捲動訂單，就能在這裡看到哪些作業執行中、等待中、共用或已取消。",
        ar: "مرّر الطلبات في علامة تبويب أخرى وشاهد هنا العمليات الجارية والمنتظرة والمشتركة والملغاة.")
    let noOperations = Phrase(
        en: "No operations yet.", de: "Noch keine Vorgänge.", zh: "尚無作業。", ar: "لا توجد عمليات بعد.")
    let filterOperations = Phrase(en: "Operation or lane", de: "Vorgang oder Spur", zh: "作業或通道", ar: "عملية أو مسار")
    let pause = Phrase(en: "Pause", de: "Anhalten", zh: "暫停", ar: "إيقاف مؤقت")
    let live = Phrase(en: "Live", de: "Live", zh: "即時", ar: "مباشر")
    let stepBackward = Phrase(en: "Previous decision", de: "Vorige Entscheidung", zh: "上一個決策", ar: "القرار السابق")
    let stepForward = Phrase(en: "Next decision", de: "Nächste Entscheidung", zh: "下一個決策", ar: "القرار التالي")
    let decisionPosition = Phrase(en: "Decision", de: "Entscheidung", zh: "決策", ar: "القرار")
    let reasons = Phrase(en: "Reasons", de: "Gründe", zh: "原因", ar: "الأسباب")
    let decisionHistory = Phrase(en: "History", de: "Verlauf", zh: "記錄", ar: "السجل")
    let decisionHistoryHint = Phrase(
        en: "Select a row to see its decisions.", de: "Eine Zeile wählen, um ihre Entscheidungen zu sehen.",
        zh: "選取一列，即可查看其決策。", ar: "اختر صفًا لعرض قراراته.")
    let columnTime = Phrase(en: "Seconds", de: "Sekunden", zh: "秒", ar: "الثواني")
    let columnOperation = Phrase(en: "Operation", de: "Vorgang", zh: "作業", ar: "العملية")
    let columnOutcome = Phrase(en: "Decision", de: "Entscheidung", zh: "決策", ar: "القرار")
    let columnLane = Phrase(en: "Lane", de: "Spur", zh: "通道", ar: "المسار")
    let columnReason = Phrase(en: "Reason", de: "Grund", zh: "原因", ar: "السبب")
    let urgencyVisible = Phrase(en: "visible", de: "sichtbar", zh: "看得到", ar: "مرئي")
    let urgencyPrefetch = Phrase(en: "prefetch", de: "vorausgeladen", zh: "預先載入", ar: "تحميل مسبق")
    let urgencyBackground = Phrase(en: "background", de: "im Hintergrund", zh: "背景", ar: "في الخلفية")
    /// The label of a consumer of operations, such as a screen.
    let consumer = Phrase(en: "consumer {number}", de: "Abnehmer {number}", zh: "使用端 {number}", ar: "مستهلك {number}")
    let noConsumer = Phrase(en: "no consumer", de: "kein Abnehmer", zh: "無使用端", ar: "بلا مستهلك")
    /// The page replaces the placeholders with numbers.
    let laneStatus = Phrase(
        en: "{running} of {width} running, {reserved} reserved for visible rows, {waiting} waiting",
        de: "{running} von {width} laufen, {reserved} reserviert für sichtbare Zeilen, {waiting} warten",
        zh: "{width} 個位置中 {running} 個執行中，{reserved} 個保留給看得到的列，{waiting} 個等待中",
        ar: "قيد التنفيذ: {running} من {width}، محجوز للصفوف المرئية: {reserved}، في الانتظار: {waiting}")
    let missingDecisions = Phrase(
        en: "{count} decisions are missing.", de: "{count} Entscheidungen fehlen.", zh: "缺少 {count} 個決策。",
        ar: "عدد القرارات الناقصة: {count}.")
}
