// Times in the zone of the reader or of their document, with "Today" and "in 40 min" for near ones.
const { lang, dir } = document.documentElement;
const locale = lang === "en" ? "en-GB" : `${lang}-u-nu-latn`;
const minute = 60_000, day = 86_400_000, maxDistanceWithoutYear = 180 * day;
const separator = { ar: "، ", "zh-Hant": " " }[lang] ?? ", ";
const relative = new Intl.RelativeTimeFormat(locale, { numeric: "auto", style: "short" });
const dayOptions = { weekday: "short", day: "numeric", month: "short", timeZone: "UTC" };
const dayFormat = new Intl.DateTimeFormat(locale, dayOptions), yearFormat = new Intl.DateTimeFormat(locale, { ...dayOptions, year: "numeric" });

/// Updates the times in an element. Their width changes, but no position.
export function updateTimes(element) {
  for (const time of element.querySelectorAll("time")) {
    const text = format(time.dateTime, Date.now());
    if (time.textContent !== text) time.textContent = text;
  }
}

setInterval(() => document.hidden || updateTimes(document), 15_000);

/// Formats `2026-05-20`, or `2026-05-20T08:00` in local time or followed by `-04:00` or `Z`.
function format(text, now) {
  const zone = text.slice(16), hasTime = text.length > 10, isOffset = zone && zone !== "Z";
  const shown = Date.parse(text.slice(0, 16) + (hasTime ? "Z" : "")), instant = Date.parse(hasTime ? text : `${text}T00:00`);
  const offset = isOffset ? shown - instant : localOffset(instant);
  const wall = zone === "Z" ? instant + offset : shown, wallNow = now + (isOffset ? offset : localOffset(now));
  const daysAhead = Math.floor(wall / day) - Math.floor(wallNow / day), minutes = Math.round((instant - now) / minute);
  const isNear = Math.abs(daysAhead) < 2, date = isNear ? capitalized(relative.format(daysAhead, "day")) : formatDate(wall, wallNow);
  if (!hasTime) return date;
  const time = new Date(wall).toISOString().slice(11, 16) + (offset === localOffset(instant) ? "" : ` ${offsetName(offset)}`);
  return Math.abs(minutes) < 60 ? time + separator + relative.format(minutes, "minute") : date + (isNear ? " " : separator) + time;
}

const localOffset = (at) => -new Date(at).getTimezoneOffset() * minute;

const capitalized = (word) => word[0].toUpperCase() + word.slice(1);

/// Versions of CLDR differ in the comma after an English weekday.
function formatDate(wall, now) {
  return (Math.abs(wall - now) > maxDistanceWithoutYear ? yearFormat : dayFormat).format(wall).replace(/^([a-z]+),/i, "$1");
}

/// Returns `UTC−4` or `UTC+5:45`, isolated in right-to-left pages.
function offsetName(offset) {
  const minutes = Math.abs(offset) / minute, rest = minutes % 60;
  const name = `UTC${offset ? (offset < 0 ? "−" : "+") + Math.floor(minutes / 60) : ""}${rest ? `:${String(rest).padStart(2, "0")}` : ""}`;
  return dir === "rtl" ? `\u2068${name}\u2069` : name;
}
