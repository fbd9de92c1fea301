/// The texts of the state of the webhook on the page of dispatchers.
struct WebhookTexts: Sendable {
    let webhookTitle = Phrase(
        en: "Changes for your own system (webhook)", de: "Änderungen für Ihr System (Webhook)", zh: "傳送至您系統的變更（webhook）",
        ar: "التغييرات المرسلة إلى نظامك (webhook)")
    let webhookUpToDate = Phrase(en: "All accepted", de: "Alle angenommen", zh: "已全部接收", ar: "قُبلت كلها")
    let webhookLastSuccess = Phrase(en: "Last accepted", de: "Zuletzt angenommen", zh: "最近一次接收", ar: "آخر قبول")
    let webhookWaitingSince = Phrase(en: "The oldest waits since", de: "Die älteste wartet seit", zh: "最早等候自", ar: "أقدمها ينتظر منذ")
    let webhookFailingSince = Phrase(en: "Fails since", de: "Scheitert seit", zh: "失敗起始", ar: "يفشل منذ")
    let webhookLastError = Phrase(en: "Last error", de: "Letzter Fehler", zh: "最近的錯誤", ar: "آخر خطأ")
    let webhookStatus = Phrase(
        en: "your system answered with {status}", de: "Ihr System hat mit {status} geantwortet", zh: "您的系統回應 {status}",
        ar: "أجاب نظامك بـ {status}")
    let webhookUnreachable = Phrase(
        en: "your system cannot be reached", de: "Ihr System ist nicht erreichbar", zh: "無法連線到您的系統", ar: "يتعذّر الوصول إلى نظامك")
    let webhookTimedOut = Phrase(
        en: "your system did not answer in time", de: "Ihr System hat nicht rechtzeitig geantwortet", zh: "您的系統未及時回應",
        ar: "لم يُجب نظامك في الوقت المناسب")
    let webhookInterrupted = Phrase(
        en: "the connection to your system was lost", de: "Die Verbindung zu Ihrem System ist abgebrochen", zh: "與您系統的連線中斷",
        ar: "انقطع الاتصال بنظامك")
    let webhookAbandonedHint = Phrase(
        en: "Given up changes are not sent again; the history of each order has them:",
        de: "Aufgegebene Änderungen werden nicht erneut gesendet; der Verlauf jeder Bestellung enthält sie:",
        zh: "已放棄的變更不會再傳送，可在各訂單的歷程中查看：", ar: "التغييرات المتروكة لا تُرسل مرة أخرى، وتجدها في سجل كل طلب:")
}
