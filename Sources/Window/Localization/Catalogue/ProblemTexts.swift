/// What pages say that could not be made.
struct ProblemTexts: Sendable {
    let notFoundTitle = Phrase(en: "Not found", de: "Nicht gefunden", zh: "找不到", ar: "غير موجود")
    let problemTitle = Phrase(en: "That did not work", de: "Das hat nicht geklappt", zh: "沒有成功", ar: "لم ينجح ذلك")
    let problem = Phrase(
        en: "Something went wrong on our side. Try again in a moment.",
        de: "Auf unserer Seite ist etwas schiefgegangen. Gleich noch einmal versuchen.", zh: "我們這邊發生問題，請稍後再試。",
        ar: "حدث خطأ من جانبنا. أعد المحاولة بعد لحظات.")
}
