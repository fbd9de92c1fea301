/// The texts of the delivery pages.
struct DeliveryTexts: Sendable {
    let deliveries = Phrase(en: "Deliveries", de: "Lieferungen", zh: "配送", ar: "التوصيلات")
    let delivery = Phrase(en: "Delivery", de: "Lieferung", zh: "配送", ar: "التوصيلة")
    let viewDeliveries = Phrase(en: "Show deliveries", de: "Lieferungen zeigen", zh: "顯示配送", ar: "عرض التوصيلات")
    let backToDeliveries = Phrase(en: "Back to deliveries", de: "Zu den Lieferungen", zh: "回到配送清單", ar: "العودة إلى التوصيلات")
    let noDeliveries = Phrase(
        en: "There are no deliveries right now.", de: "Zurzeit gibt es keine Lieferungen.", zh: "目前沒有配送。", ar: "لا توجد توصيلات حاليًا.")
    let deliverySearchHint = Phrase(
        en: "Title, address, sender", de: "Titel, Adresse, Absender", zh: "標題、地址、寄件人", ar: "الاسم أو العنوان أو المرسل")

    let loadingMore = Phrase(en: "Loading more", de: "Weitere werden geladen", zh: "正在載入更多", ar: "جارٍ تحميل المزيد")
    let endOfList = Phrase(en: "End of list", de: "Ende der Liste", zh: "已顯示全部", ar: "نهاية القائمة")
    /// The page replaces `{age}` with an age such as `2 hours ago`.
    let storedAge = Phrase(en: "Offline. Stored {age}", de: "Offline. Gespeichert {age}", zh: "已離線，資料儲存於{age}", ar: "غير متصل. حُفظت {age}")
    let searchesStored = Phrase(
        en: "Stored deliveries only", de: "Nur gespeicherte Lieferungen", zh: "僅限已儲存的配送", ar: "التوصيلات المحفوظة فقط")

    let sortTitle = Phrase(en: "Title", de: "Titel", zh: "標題", ar: "الاسم")
    let sortPickup = Phrase(en: "Pickup", de: "Abholung", zh: "取件時間", ar: "موعد الاستلام")
    let sortFee = Phrase(en: "Fee ↑", de: "Lohn ↑", zh: "運費 ↑", ar: "الأجرة ↑")
    let sortFeeDescending = Phrase(en: "Fee ↓", de: "Lohn ↓", zh: "運費 ↓", ar: "الأجرة ↓")

    let favourite = Phrase(en: "Favourite", de: "Favorit", zh: "收藏", ar: "المفضلة")
    let notSentYet = Phrase(
        en: "Saved. Will be sent when you’re online.", de: "Gespeichert. Wird gesendet, sobald Sie online sind.",
        zh: "已儲存，上線後就會送出。", ar: "حُفظ، وسيُرسل عند اتصالك بالشبكة.")
    let favouritePending = Phrase(en: "Not sent yet", de: "Noch nicht gesendet", zh: "尚未送出", ar: "لم يُرسل بعد")
    /// The page replaces `{title}` with the title of the delivery.
    let favouriteFailed = Phrase(
        en: "Couldn’t save “{title}” as a favourite.", de: "„{title}“ konnte nicht als Favorit gespeichert werden.",
        zh: "無法將「{title}」儲存為收藏。", ar: "تعذّر حفظ «{title}» في المفضلة.")
    let removeFavouriteFailed = Phrase(
        en: "Couldn’t remove “{title}” from favourites.", de: "„{title}“ konnte nicht aus den Favoriten entfernt werden.",
        zh: "無法將「{title}」從收藏移除。", ar: "تعذّرت إزالة «{title}» من المفضلة.")
    let favouritesLost = Phrase(
        en: "The file of unsent favourites was damaged. Readable ones will be sent; others may be lost.",
        de: "Die Datei der noch nicht gesendeten Favoriten war beschädigt. Lesbare werden gesendet; andere sind eventuell verloren.",
        zh: "尚未送出的收藏檔案已損毀。可讀取的收藏會送出，其餘可能已遺失。",
        ar: "ملف المفضلات غير المرسلة تالف. ستُرسل المفضلات المقروءة، وقد تكون الأخرى مفقودة.")
    let diskFull = Phrase(
        en: "The program’s disk is full. New data isn’t stored, and favourites can’t be saved.",
        de: "Der Datenträger des Programms ist voll. Weder neue Daten noch Favoriten können gespeichert werden.",
        zh: "程式的磁碟已滿。新資料不會儲存，也無法儲存收藏。", ar: "قرص البرنامج ممتلئ. لا يمكن حفظ البيانات الجديدة ولا المفضلات.")
    /// The page replaces `{count}` with the number of notices that are not shown.
    let moreNotices = Phrase(en: "and {count} more", de: "und {count} weitere", zh: "還有 {count} 則", ar: "و{count} أخرى")

    let noLocation = Phrase(
        en: "This delivery has no location.", de: "Diese Lieferung hat keine Ortsangabe.", zh: "這筆配送沒有地點資料。",
        ar: "لا يوجد موقع لهذه التوصيلة.")
    let pickup = Phrase(en: "Pickup", de: "Abholung", zh: "取件時間", ar: "موعد الاستلام")
    let routeStart = Phrase(en: "From", de: "Von", zh: "起點", ar: "من")
    let routeEnd = Phrase(en: "To", de: "Nach", zh: "終點", ar: "إلى")
    let fee = Phrase(en: "Fee", de: "Lohn", zh: "運費", ar: "الأجرة")
    let surcharge = Phrase(en: "Surcharge", de: "Zuschlag", zh: "附加費", ar: "رسوم إضافية")
    let sender = Phrase(en: "Sender", de: "Absender", zh: "寄件人", ar: "المرسل")
    let remarks = Phrase(en: "Remarks", de: "Bemerkungen", zh: "備註", ar: "ملاحظات")
}
