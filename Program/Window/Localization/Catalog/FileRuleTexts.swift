/// The rules for files of orders as a whole. In English they are those of `lading import`.
struct FileRuleTexts: Sendable {
    let fileEmpty = Phrase(en: "the file is empty", de: "Die Datei ist leer", zh: "檔案是空的", ar: "الملف فارغ")
    let fileWithoutOrders = Phrase(
        en: "the file contains no orders", de: "Die Datei enthält keine Bestellungen", zh: "檔案中沒有訂單", ar: "لا يحتوي الملف على طلبات")
    let fileWorkbook = Phrase(
        en: "the file is an Excel or OpenDocument workbook or a zip archive: save the sheet as \"CSV UTF-8\"",
        de: "Die Datei ist eine Arbeitsmappe von Excel oder OpenDocument oder ein Zip-Archiv: Speichern Sie das Blatt als „CSV UTF-8“",
        zh: "檔案是 Excel 或 OpenDocument 活頁簿，或 zip 壓縮檔：請將工作表另存為「CSV UTF-8」",
        ar: "الملف مصنف Excel أو OpenDocument أو أرشيف zip: احفظ الورقة بصيغة «CSV UTF-8»")
    let fileOldWorkbook = Phrase(
        en: "the file is an Excel 97 workbook: save the sheet as \"CSV UTF-8\"",
        de: "Die Datei ist eine Arbeitsmappe von Excel 97: Speichern Sie das Blatt als „CSV UTF-8“",
        zh: "檔案是 Excel 97 活頁簿：請將工作表另存為「CSV UTF-8」", ar: "الملف مصنف Excel 97: احفظ الورقة بصيغة «CSV UTF-8»")
    let fileCompressed = Phrase(
        en: "the file is compressed with {format}: decompress it first",
        de: "Die Datei ist mit {format} komprimiert: Dekomprimieren Sie sie zuerst", zh: "檔案以 {format} 壓縮：請先解壓縮",
        ar: "الملف مضغوط بصيغة {format}: فك ضغطه أولًا")
    let file7zArchive = Phrase(
        en: "the file is a 7z archive: extract it first", de: "Die Datei ist ein 7z-Archiv: Entpacken Sie es zuerst",
        zh: "檔案是 7z 壓縮檔：請先解壓縮", ar: "الملف أرشيف 7z: استخرجه أولًا")
    let fileRARArchive = Phrase(
        en: "the file is a RAR archive: extract it first", de: "Die Datei ist ein RAR-Archiv: Entpacken Sie es zuerst",
        zh: "檔案是 RAR 壓縮檔：請先解壓縮", ar: "الملف أرشيف RAR: استخرجه أولًا")
    let filePDF = Phrase(
        en: "the file is a PDF document: save the table as \"CSV UTF-8\"",
        de: "Die Datei ist ein PDF-Dokument: Speichern Sie die Tabelle als „CSV UTF-8“", zh: "檔案是 PDF 文件：請將表格另存為「CSV UTF-8」",
        ar: "الملف مستند PDF: احفظ الجدول بصيغة «CSV UTF-8»")
    let fileDatabase = Phrase(
        en: "the file is an SQLite database: export its table as CSV",
        de: "Die Datei ist eine SQLite-Datenbank: Exportieren Sie die Tabelle als CSV", zh: "檔案是 SQLite 資料庫：請將資料表匯出為 CSV",
        ar: "الملف قاعدة بيانات SQLite: صدّر جدولها بصيغة CSV")
    let fileRTF = Phrase(
        en: "the file is an RTF document: save the table as \"CSV UTF-8\"",
        de: "Die Datei ist ein RTF-Dokument: Speichern Sie die Tabelle als „CSV UTF-8“", zh: "檔案是 RTF 文件：請將表格另存為「CSV UTF-8」",
        ar: "الملف مستند RTF: احفظ الجدول بصيغة «CSV UTF-8»")
    let fileEncoding = Phrase(
        en: "line {line}, column {column}: the file is not UTF-8 or UTF-16: save it as \"CSV UTF-8\"",
        de: "Zeile {line}, Spalte {column}: Die Datei ist weder UTF-8 noch UTF-16: Speichern Sie sie als „CSV UTF-8“",
        zh: "第 {line} 行第 {column} 字：檔案不是 UTF-8 或 UTF-16，請另存為「CSV UTF-8」",
        ar: "السطر {line}، العمود {column}: الملف ليس UTF-8 ولا UTF-16: احفظه بصيغة «CSV UTF-8»")
    let fileUTF32 = Phrase(
        en: "the file is UTF-32: save it as \"CSV UTF-8\"", de: "Die Datei ist UTF-32: Speichern Sie sie als „CSV UTF-8“",
        zh: "檔案是 UTF-32：請另存為「CSV UTF-8」", ar: "الملف UTF-32: احفظه بصيغة «CSV UTF-8»")
    let fileZeroCharacter = Phrase(
        en: "line {line}, column {column}: the file contains a zero character: it is binary or damaged; save it as \"CSV UTF-8\"",
        de: "Zeile {line}, Spalte {column}: Die Datei enthält ein Nullzeichen: Sie ist binär oder beschädigt; speichern Sie sie als "
            + "„CSV UTF-8“",
        zh: "第 {line} 行第 {column} 字：檔案含有空字元，為二進位檔或已損壞；請另存為「CSV UTF-8」",
        ar: "السطر {line}، العمود {column}: يحتوي الملف على محرف صفري: هو ثنائي أو تالف؛ احفظه بصيغة «CSV UTF-8»")
    let fileUnclosedQuote = Phrase(
        en: "line {line}, column {column}: the quote that opens here is not closed: add a quote at the end of the value",
        de: "Zeile {line}, Spalte {column}: Das Anführungszeichen, das hier öffnet, wird nicht geschlossen: Setzen Sie eines an das Ende "
            + "des Werts",
        zh: "第 {line} 行第 {column} 字：此處開始的引號未結束，請在值的結尾加上引號",
        ar: "السطر {line}، العمود {column}: علامة الاقتباس التي تُفتح هنا غير مغلقة: أضف علامة في نهاية القيمة")
    let fileTextAfterQuote = Phrase(
        en: "line {line}, column {column}: text follows a closing quote, which was opened at line {openingLine}, column {openingColumn}: "
            + "end the value there, or write quotes inside of it twice",
        de: "Zeile {line}, Spalte {column}: Nach einem schließenden Anführungszeichen, geöffnet in Zeile {openingLine}, Spalte "
            + "{openingColumn}, folgt Text: Beenden Sie den Wert dort, oder verdoppeln Sie Anführungszeichen darin",
        zh: "第 {line} 行第 {column} 字：結尾引號（開始於第 {openingLine} 行第 {openingColumn} 字）之後有文字，請在該處結束值，或將值中的引號寫兩次",
        ar: "السطر {line}، العمود {column}: يلي نصٌّ علامة اقتباس ختامية فُتحت في السطر {openingLine}، العمود {openingColumn}: "
            + "أنهِ القيمة هناك، أو كرّر علامات الاقتباس داخلها")
    let fileTooManyColumns = Phrase(
        en: "line {line}, column {column}: a row has more than {limit} columns: remove the others",
        de: "Zeile {line}, Spalte {column}: Eine Zeile hat mehr als {limit} Spalten: Entfernen Sie die übrigen",
        zh: "第 {line} 行第 {column} 字：有一列超過 {limit} 欄，請刪除其餘欄位",
        ar: "السطر {line}، العمود {column}: في صف أكثر من {limit} عمود: احذف الباقي")
    let fileValueTooLong = Phrase(
        en: "line {line}, column {column}: a value has more than {limit} bytes: shorten it",
        de: "Zeile {line}, Spalte {column}: Ein Wert ist länger als {limit} Byte: Kürzen Sie ihn",
        zh: "第 {line} 行第 {column} 字：有一個值超過 {limit} 位元組，請縮短",
        ar: "السطر {line}، العمود {column}: قيمة تتجاوز {limit} بايت: اختصرها")
    let fileRowTooLong = Phrase(
        en: "line {line}: the row that begins here has more than {limit} bytes: check that the file has one order per line",
        de: "Zeile {line}: Der Datensatz, der hier beginnt, ist länger als {limit} Byte: Prüfen Sie, ob die Datei eine Bestellung je Zeile "
            + "hat",
        zh: "第 {line} 行：此處開始的列超過 {limit} 位元組，請確認檔案每行一筆訂單",
        ar: "السطر {line}: الصف الذي يبدأ هنا يتجاوز {limit} بايت: تأكد من أن في كل سطر طلبًا واحدًا")
    let fileTooManyRows = Phrase(
        en: "the file has more than {limit} rows: split it", de: "Die Datei hat mehr als {limit} Zeilen: Teilen Sie sie",
        zh: "檔案超過 {limit} 列：請分割檔案", ar: "في الملف أكثر من {limit} صف: قسّمه")
    let fileJSONArray = Phrase(
        en: "the file is a JSON array: write one object per line, without brackets and commas around it (JSON Lines)",
        de: "Die Datei ist ein JSON-Array: Schreiben Sie ein Objekt je Zeile, ohne Klammern und Kommas darum (JSON Lines)",
        zh: "檔案是 JSON 陣列：請每行寫一個物件，前後不加方括號與逗號（JSON Lines）",
        ar: "الملف مصفوفة JSON: اكتب كائنًا واحدًا في كل سطر دون أقواس وفواصل حوله (JSON Lines)")
    let fileMissingColumns = Phrase(
        en: "the first row must name the columns; missing: {missing}; found: {found}",
        de: "Die erste Zeile muss die Spalten nennen; es fehlen: {missing}; gefunden: {found}",
        zh: "第一列須為欄位名稱；缺少：{missing}；現有：{found}",
        ar: "يجب أن يسمّي الصف الأول الأعمدة؛ الناقص: {missing}؛ الموجود: {found}")
    let noColumns = Phrase(en: "none", de: "keine", zh: "無", ar: "لا شيء")
    let fileDuplicateColumn = Phrase(
        en: "the columns \"{first}\" and \"{second}\" both contain \"{name}\": remove or rename one",
        de: "Die Spalten „{first}“ und „{second}“ enthalten beide „{name}“: Entfernen Sie eine, oder benennen Sie sie um",
        zh: "欄位「{first}」與「{second}」皆為「{name}」：請刪除其中一欄或改名",
        ar: "يحتوي العمودان «{first}» و«{second}» على «{name}»: احذف أحدهما أو أعد تسميته")
    let unknownColumn = Phrase(
        en: "the column \"{name}\" is unknown and was ignored", de: "Die Spalte „{name}“ ist unbekannt und wurde übergangen",
        zh: "欄位「{name}」不明，已略過", ar: "العمود «{name}» غير معروف وقد تم تجاهله")
}
