/// The texts for signing in and out.
struct AccountTexts: Sendable {
    let signIn = Phrase(en: "Sign in", de: "Anmelden", zh: "登入", ar: "تسجيل الدخول")
    let signOut = Phrase(en: "Sign out", de: "Abmelden", zh: "登出", ar: "تسجيل الخروج")
    let signOutWaiting = Phrase(
        en: "Some steps are not sent yet. They stay on this device, and are sent when you sign in here again. Sign out?",
        de: "Einige Schritte sind noch nicht gesendet. Sie bleiben hier und werden bei Ihrer nächsten Anmeldung gesendet. Abmelden?",
        zh: "有些步驟尚未送出，會保留在此裝置上，等您再次登入後送出。要登出嗎？",
        ar: "بعض الخطوات لم تُرسل بعد. ستبقى على هذا الجهاز وتُرسل عند تسجيل دخولك هنا مجددًا. هل تريد تسجيل الخروج؟")
    let signedInAs = Phrase(en: "Signed in as", de: "Angemeldet als", zh: "已登入：", ar: "مسجَّل الدخول باسم")
    let courier = Phrase(en: "Courier", de: "Kurier", zh: "外送員", ar: "مندوب توصيل")
    let dispatcher = Phrase(en: "Dispatcher", de: "Disponent", zh: "調度員", ar: "منسّق التوصيل")
    let tryAs = Phrase(en: "Try the demo as", de: "Demo ausprobieren als", zh: "以此身分試用示範", ar: "جرّب العرض التوضيحي بصفة")
    let signInWithLink = Phrase(
        en: "Your link works once. Sign in on the device that you deliver with.",
        de: "Ihr Link gilt einmal. Melden Sie sich auf dem Gerät an, mit dem Sie ausliefern.",
        zh: "您的連結只能使用一次。請在外送時使用的裝置上登入。",
        ar: "يعمل رابطك مرة واحدة. سجّل الدخول على الجهاز الذي تستخدمه في التوصيل.")
    let signInWithoutLink = Phrase(
        en: "Open the link from your dispatcher, or paste it here.",
        de: "Öffnen Sie den Link Ihrer Disposition, oder fügen Sie ihn hier ein.",
        zh: "請開啟調度員傳給您的連結，或在此貼上。", ar: "افتح الرابط الذي أرسله منسّق التوصيل، أو الصقه هنا.")
    let linkLabel = Phrase(en: "Link", de: "Link", zh: "連結", ar: "الرابط")
    let linkInvalid = Phrase(
        en: "This link isn’t valid. A link works once and for one day: ask your dispatcher for a new one.",
        de: "Dieser Link ist nicht gültig. Ein Link gilt einmal und einen Tag lang: Bitten Sie Ihre Disposition um einen neuen.",
        zh: "這個連結無效。連結只能使用一次，有效期為一天：請向調度員索取新的連結。",
        ar: "هذا الرابط غير صالح. يعمل الرابط مرة واحدة وليوم واحد: اطلب رابطًا جديدًا من منسّق التوصيل.")
    let signInLimitExceeded = Phrase(
        en: "Too many failed attempts. Check the link, or ask your dispatcher for a new one.",
        de: "Zu viele fehlgeschlagene Versuche. Prüfen Sie den Link, oder bitten Sie Ihre Disposition um einen neuen.",
        zh: "失敗次數過多。請檢查連結，或向調度員索取新的連結。",
        ar: "محاولات فاشلة كثيرة. تحقق من الرابط، أو اطلب رابطًا جديدًا من منسّق التوصيل.")
    let signInUnavailable = Phrase(
        en: "The server isn’t responding, so you can’t sign in now. Try again later.",
        de: "Der Server antwortet nicht, daher ist die Anmeldung gerade nicht möglich. Versuchen Sie es später erneut.",
        zh: "伺服器沒有回應，目前無法登入。請稍後再試。", ar: "الخادم لا يستجيب، لذا لا يمكنك تسجيل الدخول الآن. حاول لاحقًا.")
}
