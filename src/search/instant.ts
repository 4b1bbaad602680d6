/**
 * Parses a date as people write it and returns milliseconds since 1970: `2026-02-17`, `2026-02-17T09:30`, with seconds,
 * a fraction and a time zone. The host's Date.parse accepts more forms, not the same ones everywhere, and reads some of
 * them in local time. SPEC §17.2
 *
 * @returns null if the text is not such a date
 */
export function parseInstant(text: string): number | null {
  const match = FORM.exec(text);
  if (match === null) return null;
  const [, year, month, day, hour = "0", minute = "0", second = "0", fraction = "", zone = "Z"] = match;
  const date = daysSince1970(Number(year), Number(month), Number(day));
  const offset = zoneMinutes(zone);
  if (date === null || offset === null) return null;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null;
  const minutes = (date * 24 + Number(hour)) * 60 + Number(minute) - offset;
  return (minutes * 60 + Number(second)) * 1000 + Number(fraction.slice(0, 3).padEnd(3, "0"));
}

/** SPEC §17.2 */
const FORM =
  /^([0-9]{4})-([0-9]{2})-([0-9]{2})(?:[Tt ]([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:[.,]([0-9]+))?)?([Zz]|[+-][0-9]{2}(?::?[0-9]{2})?)?)?$/;

/** In the Gregorian calendar, for all years; null if there is no such day. */
function daysSince1970(year: number, month: number, day: number): number | null {
  if (month < 1 || month > 12 || day < 1 || day > monthDays(year, month)) return null;
  let days = 365 * (year - 1970) + leapDaysBefore(year) - leapDaysBefore(1970) + day - 1;
  for (let earlier = 1; earlier < month; earlier++) days += monthDays(year, earlier);
  return days;
}

function leapDaysBefore(year: number): number {
  const last = year - 1;
  return Math.floor(last / 4) - Math.floor(last / 100) + Math.floor(last / 400);
}

function monthDays(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

/** The offset east of Greenwich. */
function zoneMinutes(zone: string): number | null {
  if (zone === "Z" || zone === "z") return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(3).replace(":", "") || "0");
  if (hours > 23 || minutes > 59) return null;
  return (zone.startsWith("-") ? -1 : 1) * (hours * 60 + minutes);
}
