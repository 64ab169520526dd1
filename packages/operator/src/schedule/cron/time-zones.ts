/** A zone of the time zone database. */
export interface TimeZone {
  readonly name: string;
  /** How far its clocks are ahead of UTC at a moment; both in milliseconds. */
  readonly offsetAt: (ms: number) => number;
}

/** The zones that Node knows. */
export interface TimeZones {
  /** The operator's own zone. */
  readonly local: TimeZone;
  /** Undefined if there is none of that name. As in Go, `Local` is the operator's own and an empty name is UTC. */
  readonly find: (name: string) => TimeZone | undefined;
}

const UTC: TimeZone = { name: "UTC", offsetAt: () => 0 };

/**
 * Keeps each zone after the first time that it was asked for.
 *
 * @param localName the operator's own zone; UTC, as in Go, if there is none of that name
 */
export function createTimeZones(localName: string): TimeZones {
  const known = new Map([["utc", UTC]]);
  const named = (name: string): TimeZone | undefined => {
    // Node accepts any case, so one entry is enough for all spellings.
    const key = name.toLowerCase();
    const zone = known.get(key) ?? timeZone(name);
    if (zone !== undefined) known.set(key, zone);
    return zone;
  };
  const local = named(localName) ?? UTC;
  return {
    local,
    find(name) {
      if (name === "Local") return local;
      return name === "" ? UTC : named(name);
    },
  };
}

/** Names without a slash that the time zone database has. ICU knows more names, and some of them mean an unexpected place. */
const SHORT_NAMES = new Set([
  "CET",
  "EET",
  "EST",
  "GMT",
  "HST",
  "MET",
  "MST",
  "PRC",
  "ROC",
  "ROK",
  "UCT",
  "UTC",
  "WET",
]);

function timeZone(name: string): TimeZone | undefined {
  const upper = name.toUpperCase();
  if (upper.startsWith("SYSTEMV/") || (name.length === 3 && !SHORT_NAMES.has(upper))) return undefined;
  // From 22 on, Node takes an offset for a zone, too; Go does not.
  if (/^[-+]/.test(name)) return undefined;
  const format = offsetFormat(name);
  return format === undefined ? undefined : { name, offsetAt: (ms) => offsetIn(format.format(ms)) };
}

function offsetFormat(timeZone: string): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset" });
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

// Offsets have seconds before 1972. Some versions of ICU write nothing for an offset of zero.
const OFFSET = /GMT(?:([-+])(\d\d):(\d\d)(?::(\d\d))?)?$/;

function offsetIn(text: string): number {
  const [, sign, hours, minutes, seconds] = OFFSET.exec(text) ?? [];
  const ahead = ((Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60 + Number(seconds ?? 0)) * 1000;
  return sign === "-" ? -ahead : ahead;
}
