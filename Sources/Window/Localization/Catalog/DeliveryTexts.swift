/// The texts of the delivery pages.
struct DeliveryTexts: Sendable {
    let deliveries = Phrase(en: "Deliveries", de: "Lieferungen", zh: "配送", ar: "التوصيلات")
    let delivery = Phrase(en: "Delivery", de: "Lieferung", zh: "配送", ar: "التوصيلة")
    let showDeliveries = Phrase(en: "Show deliveries", de: "Lieferungen zeigen", zh: "顯示配送", ar: "عرض التوصيلات")
    let backToDeliveries = Phrase(en: "Back to the deliveries", de: "Zu den Lieferungen", zh: "回到配送清單", ar: "العودة إلى التوصيلات")
    let noDeliveries = Phrase(
        en: "There are no deliveries right now.", de: "Zurzeit gibt es keine Lieferungen.", zh: "目前沒有配送。", ar: "لا توجد توصيلات حاليًا.")
    let deliverySearchHint = Phrase(
        en: "Title, address, sender", de: "Titel, Adresse, Absender", zh: "標題、地址、寄件人", ar: "الاسم أو العنوان أو المرسل")

    let loadingMore = Phrase(en: "Loading more", de: "Weitere werden geladen", zh: "正在載入更多", ar: "جارٍ تحميل المزيد")
    let endOfList = Phrase(en: "That is all", de: "Das sind alle", zh: "已顯示全部", ar: "هذا كل شيء")
    /// The page replaces `{age}` with an age such as `2 hours ago`.
    let storedAge = Phrase(en: "Offline. Stored {age}", de: "Offline. Gespeichert {age}", zh: "已離線，資料儲存於{age}", ar: "غير متصل. حُفظت {age}")
    let searchesStored = Phrase(
        en: "Among all that is stored here", de: "Unter allen hier gespeicherten", zh: "在所有已儲存的資料中", ar: "من بين كل ما هو محفوظ هنا")

    let sortTitle = Phrase(en: "Title", de: "Titel", zh: "標題", ar: "الاسم")
    let sortPickup = Phrase(en: "Pickup", de: "Abholung", zh: "取件時間", ar: "موعد الاستلام")
    let sortFee = Phrase(en: "Fee ↑", de: "Lohn ↑", zh: "運費 ↑", ar: "الأجرة ↑")
    let sortFeeDescending = Phrase(en: "Fee ↓", de: "Lohn ↓", zh: "運費 ↓", ar: "الأجرة ↓")

    let favourite = Phrase(en: "Favourite", de: "Favorit", zh: "收藏", ar: "المفضلة")
    let notSentYet = Phrase(
        en: "Saved. Will be sent when you’re online.", de: "Gespeichert. Wird gesendet, sobald Sie online sind.",
        zh: "已儲存，上線後就會送出。", ar: "حُفظ، وسيُرسل عند اتصالك بالشبكة.")
    let favouriteUnsent = Phrase(en: "Not sent yet", de: "Noch nicht gesendet", zh: "尚未送出", ar: "لم يُرسل بعد")
    /// The page replaces `{title}` with the title of the delivery.
    let favouriteFailed = Phrase(
        en: "Couldn’t save “{title}” as a favourite.", de: "„{title}“ ließ sich nicht als Favorit speichern.",
        zh: "無法將「{title}」儲存為收藏。", ar: "تعذّر حفظ «{title}» في المفضلة.")
    let unfavouriteFailed = Phrase(
        en: "Couldn’t remove “{title}” from the favourites.", de: "„{title}“ ließ sich nicht aus den Favoriten entfernen.",
        zh: "無法將「{title}」從收藏移除。", ar: "تعذّرت إزالة «{title}» من المفضلة.")
    let favouritesLost = Phrase(
        en: "The file of the favourites that wait to be sent was damaged. Those that could be read will be sent; others may be lost.",
        de: "Die Datei der Favoriten, die noch zu senden sind, war beschädigt. Was lesbar war, wird gesendet; anderes kann verloren sein.",
        zh: "待送出的收藏所在的檔案已損毀。可讀取的部分會送出，其餘可能已遺失。",
        ar: "كان ملف المفضلات التي تنتظر الإرسال تالفًا. سيُرسل ما أمكنت قراءته، وقد يكون غيره قد فُقد.")
    let diskFull = Phrase(
        en: "The disk of this program is full. What is loaded now is not stored, and nothing can be marked.",
        de: "Das Speichermedium dieses Programms ist voll. Neues wird nicht gespeichert, und nichts lässt sich vermerken.",
        zh: "這個程式的磁碟已滿。現在載入的內容不會儲存，也無法標記任何內容。", ar: "قرص هذا البرنامج ممتلئ. لن يُحفظ ما يُحمَّل الآن، ولا يمكن وضع أي علامة.")
    /// The page replaces `{count}` with the number of notices that are not shown.
    let moreNotices = Phrase(en: "and {count} more", de: "und {count} weitere", zh: "還有 {count} 則", ar: "و{count} أخرى")

    let noLocation = Phrase(
        en: "There is no location for this delivery.", de: "Für diese Lieferung ist kein Ort bekannt.", zh: "這筆配送沒有地點資料。",
        ar: "لا يوجد موقع لهذه التوصيلة.")
    let pickup = Phrase(en: "Pickup", de: "Abholung", zh: "取件時間", ar: "موعد الاستلام")
    let routeStart = Phrase(en: "From", de: "Von", zh: "起點", ar: "من")
    let routeEnd = Phrase(en: "To", de: "Nach", zh: "終點", ar: "إلى")
    let fee = Phrase(en: "Fee", de: "Lohn", zh: "運費", ar: "الأجرة")
    let surcharge = Phrase(en: "Surcharge", de: "Zuschlag", zh: "附加費", ar: "رسوم إضافية")
    let sender = Phrase(en: "Sender", de: "Absender", zh: "寄件人", ar: "المرسل")
    let remarks = Phrase(en: "Remarks", de: "Bemerkungen", zh: "備註", ar: "ملاحظات")
}
