// The age of a timestamp, in the language of the page: "2 hours ago".
const units = [["day", 86_400], ["hour", 3_600], ["minute", 60]];

export function ageOf(at) {
  const seconds = Math.max(0, (Date.now() - at) / 1_000);
  const [unit, length] = units.find(([, length]) => seconds >= length) ?? units.at(-1);
  return new Intl.RelativeTimeFormat(document.documentElement.lang + "-u-nu-latn", { numeric: "auto" }).format(-Math.floor(seconds / length), unit);
}
