// Times as the reader's clock shows them, or that of their document; "Today" and "in 40 min" where that is so.
const { lang, dir } = document.documentElement;
const locale = lang === "en" ? "en-GB" : `${lang}-u-nu-latn`;
const minute = 60_000, day = 86_400_000, reachWithoutYear = 180 * day;
const joint = { ar: "، ", "zh-Hant": " " }[lang] ?? ", ";
const relative = new Intl.RelativeTimeFormat(locale, { numeric: "auto", style: "short" });
const days = { weekday: "short", day: "numeric", month: "short", timeZone: "UTC" };
const dayFormat = new Intl.DateTimeFormat(locale, days), yearFormat = new Intl.DateTimeFormat(locale, { ...days, year: "numeric" });

/// Rewrites the times in an element. Their width changes, the place of nothing else does.
export function updateTimes(element) {
  for (const time of element.querySelectorAll("time")) {
    const text = format(time.dateTime, Date.now());
    if (time.textContent !== text) time.textContent = text;
  }
}

setInterval(() => document.hidden || updateTimes(document), 15_000);

/// `text` is `2026-05-20`, `2026-05-20T08:00` on a clock at the place that it is about, or has `-04:00` or `Z` behind it.
function format(text, now) {
  const zone = text.slice(16), hasTime = text.length > 10, isOffset = zone && zone !== "Z";
  const shown = Date.parse(text.slice(0, 16) + (hasTime ? "Z" : "")), instant = Date.parse(hasTime ? text : `${text}T00:00`);
  const offset = isOffset ? shown - instant : readersOffset(instant);
  const wall = zone === "Z" ? instant + offset : shown, wallNow = now + (isOffset ? offset : readersOffset(now));
  const ahead = Math.floor(wall / day) - Math.floor(wallNow / day), minutes = Math.round((instant - now) / minute);
  const isNear = Math.abs(ahead) < 2, date = isNear ? capital(relative.format(ahead, "day")) : dateOf(wall, wallNow);
  if (!hasTime) return date;
  const time = new Date(wall).toISOString().slice(11, 16) + (offset === readersOffset(instant) ? "" : ` ${nameOf(offset)}`);
  return Math.abs(minutes) < 60 ? time + joint + relative.format(minutes, "minute") : date + (isNear ? " " : joint) + time;
}

const readersOffset = (at) => -new Date(at).getTimezoneOffset() * minute;

const capital = (word) => word[0].toUpperCase() + word.slice(1);

/// Versions of CLDR differ in the comma behind an English day of the week.
function dateOf(wall, now) {
  return (Math.abs(wall - now) > reachWithoutYear ? yearFormat : dayFormat).format(wall).replace(/^([a-z]+),/i, "$1");
}

/// `UTC−4`, `UTC+5:45`. Between isolates it keeps its direction in Arabic.
function nameOf(offset) {
  const minutes = Math.abs(offset) / minute, rest = minutes % 60;
  const name = `UTC${offset ? (offset < 0 ? "−" : "+") + Math.floor(minutes / 60) : ""}${rest ? `:${String(rest).padStart(2, "0")}` : ""}`;
  return dir === "rtl" ? `\u2068${name}\u2069` : name;
}
