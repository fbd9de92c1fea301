/// The texts of error pages.
struct ProblemTexts: Sendable {
    let orderUnreadable = Phrase(
        en: "This order can’t be read. Report it.", de: "Diese Bestellung ist nicht lesbar. Bitte melden.", zh: "無法讀取這筆訂單，請回報。",
        ar: "تتعذّر قراءة هذا الطلب. أبلغ عنه.")
    let listUnreadable = Phrase(
        en: "This list can’t be read. Report it.", de: "Diese Liste ist nicht lesbar. Bitte melden.", zh: "無法讀取這份清單，請回報。",
        ar: "تتعذّر قراءة هذه القائمة. أبلغ عنها.")
    let photoUnreadable = Phrase(
        en: "This photo can’t be shown. Report it.", de: "Dieses Foto kann nicht angezeigt werden. Bitte melden.", zh: "無法顯示這張照片，請回報。",
        ar: "يتعذّر عرض هذه الصورة. أبلغ عنها.")
    let serverUnreachable = Phrase(
        en: "The server can’t be reached.", de: "Der Server ist nicht erreichbar.", zh: "無法連線到伺服器。", ar: "يتعذّر الوصول إلى الخادم.")
    let serverProblem = Phrase(
        en: "The server has a problem. Try again later.", de: "Der Server hat ein Problem. Bitte später erneut versuchen.",
        zh: "伺服器發生問題，請稍後再試。", ar: "حدثت مشكلة في الخادم. أعد المحاولة لاحقًا.")
    let goneFromServer = Phrase(
        en: "This is no longer on the server.", de: "Das gibt es auf dem Server nicht mehr.", zh: "伺服器上已經沒有這項資料。",
        ar: "لم يعد هذا موجودًا على الخادم.")
    let notAllowed = Phrase(
        en: "The server doesn’t allow this.", de: "Der Server erlaubt das nicht.", zh: "伺服器不允許這麼做。", ar: "الخادم لا يسمح بذلك.")
    let unknownProblem = Phrase(
        en: "Something went wrong. Report it if it happens again.", de: "Etwas ist schiefgegangen. Bitte melden, wenn es wieder passiert.",
        zh: "發生問題。如果再次發生，請回報。", ar: "حدث خطأ ما. أبلغ عنه إن تكرر.")
    let details = Phrase(en: "Details", de: "Einzelheiten", zh: "詳細資料", ar: "التفاصيل")
    let notFoundTitle = Phrase(en: "Not found", de: "Nicht gefunden", zh: "找不到", ar: "غير موجود")
    let problemTitle = Phrase(en: "That didn’t work", de: "Das hat nicht geklappt", zh: "操作失敗", ar: "تعذّر ذلك")
    let internalProblem = Phrase(
        en: "Something went wrong on our side. Try again in a moment.",
        de: "Auf unserer Seite ist etwas schiefgegangen. Bitte gleich erneut versuchen.", zh: "我們這邊發生問題，請稍後再試。",
        ar: "حدث خطأ من جانبنا. أعد المحاولة بعد لحظات.")
}
