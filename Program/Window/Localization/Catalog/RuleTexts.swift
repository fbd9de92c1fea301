/// The rules for values and rows, each to follow the name of a field. In English they are those of `lading import`.
struct RuleTexts: Sendable {
    let ruleEmpty = Phrase(en: "must not be empty", de: "darf nicht leer sein", zh: "不可空白", ar: "يجب ألا يكون فارغًا")
    let ruleTextTooLong = Phrase(
        en: "must not exceed {limit} bytes", de: "darf höchstens {limit} Byte lang sein", zh: "不可超過 {limit} 位元組",
        ar: "يجب ألا يتجاوز {limit} بايت")
    let ruleNULCharacter = Phrase(
        en: "must not contain U+0000", de: "darf das Zeichen U+0000 nicht enthalten", zh: "不可含有字元 U+0000",
        ar: "يجب ألا يحتوي على المحرف U+0000")
    let ruleByteCount = Phrase(
        en: "must have {minimum} to {maximum} bytes", de: "muss {minimum} bis {maximum} Byte lang sein",
        zh: "長度須為 {minimum} 至 {maximum} 位元組", ar: "يجب أن يكون طوله من {minimum} إلى {maximum} بايت")
    let ruleDigitCount = Phrase(
        en: "must have {minimum} to {maximum} digits", de: "muss {minimum} bis {maximum} Ziffern haben",
        zh: "須為 {minimum} 至 {maximum} 位數字", ar: "يجب أن يكون عدد أرقامه من {minimum} إلى {maximum}")
    let ruleOutOfRange = Phrase(
        en: "must be from {minimum} to {maximum}", de: "muss von {minimum} bis {maximum} sein", zh: "須介於 {minimum} 與 {maximum} 之間",
        ar: "يجب أن يكون من {minimum} إلى {maximum}")
    let rulePrice = Phrase(
        en: "must be an amount such as 42.50", de: "muss ein Betrag wie 42.50 sein", zh: "須為金額，例如 42.50",
        ar: "يجب أن يكون مبلغًا مثل 42.50")
    let ruleCurrency = Phrase(
        en: "must be a code of ISO 4217 such as EUR", de: "muss ein Code nach ISO 4217 wie EUR sein", zh: "須為 ISO 4217 幣別代碼，例如 EUR",
        ar: "يجب أن يكون رمزًا وفق ISO 4217 مثل EUR")
    let ruleNumber = Phrase(
        en: "must be a number such as 48.137", de: "muss eine Zahl wie 48.137 sein", zh: "須為數字，例如 48.137",
        ar: "يجب أن يكون عددًا مثل 48.137")
    let ruleWholeNumber = Phrase(
        en: "must be a whole number", de: "muss eine ganze Zahl sein", zh: "須為整數", ar: "يجب أن يكون عددًا صحيحًا")
    let ruleDecimalComma = Phrase(
        en: "must have a decimal point, as in 42.50", de: "muss einen Dezimalpunkt haben, wie 42.50", zh: "須使用小數點，例如 42.50",
        ar: "يجب أن يُكتب بنقطة عشرية كما في 42.50")
    let ruleThousandsSeparator = Phrase(
        en: "must be written without thousands separators, as in 1234.50",
        de: "muss ohne Tausendertrennzeichen geschrieben sein, wie 1234.50", zh: "不可使用千分位符號，應如 1234.50",
        ar: "يجب أن يُكتب دون فواصل الآلاف كما في 1234.50")
    let ruleAmbiguousComma = Phrase(
        en: "must be written with a decimal point or without a comma, because three digits behind a comma can be thousands",
        de: "muss mit Dezimalpunkt oder ohne Komma geschrieben sein, weil drei Ziffern nach einem Komma Tausender sein können",
        zh: "須使用小數點或不使用逗號，因為逗號後的三位數字可能是千分位", ar: "يجب أن يُكتب بنقطة عشرية أو دون فاصلة، لأن ثلاثة أرقام بعد الفاصلة قد تكون آلافًا")
    let ruleCoordinateIncomplete = Phrase(
        en: "must not be empty if the other coordinate is given: fill in both, or none",
        de: "darf nicht leer sein, wenn die andere Koordinate angegeben ist: beide ausfüllen, oder keine",
        zh: "已填另一座標時不可空白：兩者皆填，或皆不填", ar: "يجب ألا يكون فارغًا إذا ذُكر الإحداثي الآخر: املأ الاثنين أو اتركهما فارغين")
    let ruleTime = Phrase(
        en: "must be a time such as 2026-05-15 12:00, 15.05.2026 12:00 or 2026-05-15T12:00:00Z",
        de: "muss eine Zeit sein wie 2026-05-15 12:00, 15.05.2026 12:00 oder 2026-05-15T12:00:00Z",
        zh: "須為時間，例如 2026-05-15 12:00、15.05.2026 12:00 或 2026-05-15T12:00:00Z",
        ar: "يجب أن يكون وقتًا مثل \u{2068}2026-05-15 12:00\u{2069} أو \u{2068}15.05.2026 12:00\u{2069} أو "
            + "\u{2068}2026-05-15T12:00:00Z\u{2069}")
    let ruleTimeOfDay = Phrase(
        en: "must contain a time of day, as in 2026-05-15 12:00", de: "muss eine Uhrzeit enthalten, wie 2026-05-15 12:00",
        zh: "須包含時刻，例如 2026-05-15 12:00", ar: "يجب أن يتضمن وقتًا من اليوم كما في \u{2068}2026-05-15 12:00\u{2069}")
    let ruleAmbiguousDate = Phrase(
        en: "must be written as 2026-05-15 12:00, 15.05.2026 12:00 or 2026-05-15T12:00:00Z, because month and day of such a date are "
            + "ambiguous",
        de: "muss geschrieben sein wie 2026-05-15 12:00, 15.05.2026 12:00 oder 2026-05-15T12:00:00Z, weil Monat und Tag eines solchen "
            + "Datums nicht eindeutig sind",
        zh: "須寫成 2026-05-15 12:00、15.05.2026 12:00 或 2026-05-15T12:00:00Z，因為此寫法無法分辨月與日",
        ar: "يجب أن يُكتب مثل \u{2068}2026-05-15 12:00\u{2069} أو \u{2068}15.05.2026 12:00\u{2069} أو "
            + "\u{2068}2026-05-15T12:00:00Z\u{2069}، لأن الشهر واليوم في هذا التاريخ ملتبسان")
    let ruleExistingTime = Phrase(
        en: "must be an existing date and a time from 00:00 to 23:59, such as 2026-05-15 12:00, 15.05.2026 12:00 or 2026-05-15T12:00:00Z",
        de: "muss ein Datum sein, das es gibt, und eine Uhrzeit von 00:00 bis 23:59, wie 2026-05-15 12:00, 15.05.2026 12:00 oder "
            + "2026-05-15T12:00:00Z",
        zh: "須為存在的日期與 00:00 至 23:59 的時刻，例如 2026-05-15 12:00、15.05.2026 12:00 或 2026-05-15T12:00:00Z",
        ar: "يجب أن يكون تاريخًا موجودًا ووقتًا من 00:00 إلى 23:59، مثل \u{2068}2026-05-15 12:00\u{2069} أو "
            + "\u{2068}15.05.2026 12:00\u{2069} أو \u{2068}2026-05-15T12:00:00Z\u{2069}")
    let ruleSkippedTime = Phrase(
        en: "must be another time: clocks in {timeZone} are put forward and skip it; or add an offset, as in 2026-05-15T12:00+02:00",
        de: "muss eine andere Zeit sein: In {timeZone} werden die Uhren vorgestellt und überspringen sie; oder eine Abweichung anfügen, "
            + "wie 2026-05-15T12:00+02:00",
        zh: "須為其他時間：{timeZone} 的時鐘調快時會跳過此時間；或加上時差，例如 2026-05-15T12:00+02:00",
        ar: "يجب أن يكون وقتًا آخر: تُقدَّم الساعات في {timeZone} فتتخطاه؛ أو أضف فرق التوقيت كما في "
            + "\u{2068}2026-05-15T12:00+02:00\u{2069}")
    let ruleTimeZone = Phrase(
        en: "must be a name such as Europe/Berlin", de: "muss ein Name wie Europe/Berlin sein", zh: "須為名稱，例如 Europe/Berlin",
        ar: "يجب أن تكون اسمًا مثل Europe/Berlin")
    let ruleTooManyItems = Phrase(
        en: "must have at most {limit} items", de: "darf höchstens {limit} Artikel haben", zh: "最多可有 {limit} 個品項",
        ar: "يجب ألا يزيد عدد أصنافه على {limit}")
    let ruleItem = Phrase(
        en: "must have items with an id from 1 to {maximum}, and at most {limit} bytes in quantity and unit",
        de: "muss Artikel mit einer Nummer von 1 bis {maximum} und höchstens {limit} Byte in Menge und Einheit haben",
        zh: "品項的編號須為 1 至 {maximum}，數量與單位最多 {limit} 位元組",
        ar: "يجب أن تكون أرقام الأصناف من 1 إلى {maximum}، وألا تتجاوز الكمية والوحدة {limit} بايت")
    let ruleItemList = Phrase(
        en: "must be a list such as 12 x 1.5 kg; 7 x 2 pcs: the id of each grocery, its quantity and its unit",
        de: "muss eine Liste sein wie 12 x 1.5 kg; 7 x 2 pcs: die Nummer jeder Ware, ihre Menge und ihre Einheit",
        zh: "須為清單，例如 12 x 1.5 kg; 7 x 2 pcs：各品項的編號、數量與單位",
        ar: "يجب أن يكون قائمة مثل \u{2068}12 x 1.5 kg; 7 x 2 pcs\u{2069}: رقم كل صنف وكميته ووحدته")
    let ruleItemArray = Phrase(
        en: "must be an array such as [{\"id\":12,\"quantity\":\"1.5\",\"unit\":\"kg\"}]",
        de: "muss ein Array sein wie [{\"id\":12,\"quantity\":\"1.5\",\"unit\":\"kg\"}]",
        zh: "須為陣列，例如 [{\"id\":12,\"quantity\":\"1.5\",\"unit\":\"kg\"}]",
        ar: "يجب أن يكون مصفوفة مثل \u{2068}[{\"id\":12,\"quantity\":\"1.5\",\"unit\":\"kg\"}]\u{2069}")
    let ruleTextInQuotes = Phrase(
        en: "must be a text in quotes", de: "muss ein Text in Anführungszeichen sein", zh: "須為引號內的文字",
        ar: "يجب أن يكون نصًا بين علامتي اقتباس")
    let ruleCourier = Phrase(
        en: "must be a courier whose access was not revoked", de: "muss ein Kurier sein, dessen Zugang nicht widerrufen ist",
        zh: "須為存取權未撤銷的外送員", ar: "يجب أن يكون مندوبًا لم يُلغَ وصوله")
    let ruleFieldCount = Phrase(
        en: "the row must have as many fields as the header ({expectedCount}), not {count}: "
            + "put values with delimiters, quotes or line ends in quotes",
        de: "die Zeile muss so viele Felder haben wie die Kopfzeile ({expectedCount}), nicht {count}: "
            + "Werte mit Trennzeichen, Anführungszeichen oder Zeilenumbrüchen in Anführungszeichen setzen",
        zh: "此列的欄位數須與標題列相同（{expectedCount}），而非 {count}：含有分隔符號、引號或換行的值須置於引號內",
        ar: "يجب أن يكون عدد حقول الصف كعدد حقول صف العناوين ({expectedCount}) لا {count}: "
            + "ضع القيم التي فيها فواصل أو علامات اقتباس أو نهايات أسطر بين علامتي اقتباس")
    let ruleDuplicateExternalID = Phrase(
        en: "must be unique: row {row} has the same value", de: "muss eindeutig sein: Zeile {row} hat denselben Wert",
        zh: "不可重複：第 {row} 列的值相同", ar: "يجب ألا يتكرر: للصف {row} القيمة نفسها")
    let ruleDuplicateMember = Phrase(
        en: "must occur only once in an object", de: "darf in einem Objekt nur einmal vorkommen", zh: "在物件中只可出現一次",
        ar: "يجب أن يرد مرة واحدة فقط في الكائن")
    let ruleJSONSyntax = Phrase(
        en: "the line must be a JSON object: expected {expected} at character {character}",
        de: "die Zeile muss ein JSON-Objekt sein: erwartet wird an Zeichen {character} {expected}",
        zh: "此行須為 JSON 物件：第 {character} 個字元處應為{expected}",
        ar: "يجب أن يكون السطر كائن JSON: المتوقع عند المحرف {character} هو {expected}")
    let ruleJSONDepth = Phrase(
        en: "the line must not have more than {limit} nested arrays and objects",
        de: "die Zeile darf höchstens {limit} ineinander verschachtelte Arrays und Objekte haben",
        zh: "此行的巢狀陣列與物件不可超過 {limit} 層", ar: "يجب ألا تتجاوز المصفوفات والكائنات المتداخلة في السطر {limit}")
    let ruleJSONValues = Phrase(
        en: "the line must not have more than {limit} values", de: "die Zeile darf höchstens {limit} Werte haben",
        zh: "此行的值不可超過 {limit} 個", ar: "يجب ألا يتجاوز عدد القيم في السطر {limit}")
    let ruleJSONObject = Phrase(
        en: "the line must be a JSON object such as {\"title\":\"…\"}", de: "die Zeile muss ein JSON-Objekt sein wie {\"title\":\"…\"}",
        zh: "此行須為 JSON 物件，例如 {\"title\":\"…\"}", ar: "يجب أن يكون السطر كائن JSON مثل \u{2068}{\"title\":\"…\"}\u{2069}")
    let jsonValue = Phrase(en: "a value", de: "ein Wert", zh: "值", ar: "قيمة")
    let jsonDigit = Phrase(en: "a digit", de: "eine Ziffer", zh: "數字", ar: "رقم")
    let jsonQuote = Phrase(en: "a quote", de: "ein Anführungszeichen", zh: "引號", ar: "علامة اقتباس")
    let jsonEscape = Phrase(en: "an escape", de: "ein Escape-Zeichen", zh: "跳脫字元", ar: "محرف هروب")
    let jsonNumberWithoutLeadingZeros = Phrase(
        en: "a number without leading zeros", de: "eine Zahl ohne führende Nullen", zh: "開頭沒有零的數字", ar: "عدد دون أصفار بادئة")
    let jsonClosingQuote = Phrase(
        en: "a closing quote; control characters are written as \\n or \\u0000",
        de: "ein schließendes Anführungszeichen; Steuerzeichen werden als \\n oder \\u0000 geschrieben",
        zh: "結尾引號；控制字元須寫成 \\n 或 \\u0000", ar: "علامة اقتباس ختامية؛ تُكتب محارف التحكم \\n أو \\u0000")
    let jsonEscapedCharacter = Phrase(
        en: "one of \" \\ / b f n r t u", de: "eines von \" \\ / b f n r t u", zh: "\" \\ / b f n r t u 其中之一",
        ar: "أحد المحارف \u{2068}\" \\ / b f n r t u\u{2069}")
    let jsonHexadecimalDigits = Phrase(
        en: "four hexadecimal digits", de: "vier hexadezimale Ziffern", zh: "四位十六進位數字", ar: "أربعة أرقام ست عشرية")
    let jsonSurrogateHalf = Phrase(
        en: "the other half of a surrogate pair", de: "die andere Hälfte eines Ersatzzeichenpaars", zh: "代理對的另一半",
        ar: "النصف الآخر من زوج بديل")
    let jsonCommaOrBrace = Phrase(
        en: "\",\" or \"}\"", de: "\",\" oder \"}\"", zh: "「,」或「}」", ar: "\u{2068}\",\"\u{2069} أو \u{2068}\"}\"\u{2069}")
    let jsonCommaOrBracket = Phrase(
        en: "\",\" or \"]\"", de: "\",\" oder \"]\"", zh: "「,」或「]」", ar: "\u{2068}\",\"\u{2069} أو \u{2068}\"]\"\u{2069}")
    let jsonEndOfLine = Phrase(en: "the end of the line", de: "das Ende der Zeile", zh: "行尾", ar: "نهاية السطر")
}
