import type { Draft } from "../draft.ts";
import type { ValueKind } from "../values.ts";

const KEYS: readonly (readonly [string, ValueKind])[] = [
  ["spark.kubernetes.driver.label.p", "text"],
  ["spark.kubernetes.driver.annotation.p", "text"],
  ["spark.kubernetes.driverEnv.P", "text"],
  ["spark.driver.memory", "memory"],
  ["spark.app.name", "name"],
  ["spark.executor.cores", "integer"],
  ["spark.executor.instances", "integer"],
  ["spark.x.y", "text"],
  ["foo.bar", "text"],
  ["spark.jars", "uris"],
  ["spark.files", "uris"],
  ["spark.driver.extraJavaOptions", "javaOptions"],
  ["spark.kubernetes.driver.limit.cores", "quantity"],
];

const FIXED: readonly string[] = [
  "spark.kubernetes.namespace ref-ns",
  "spark.submit.deployMode cluster",
  "spark.master=k8s://http://127.0.0.1:{PORT}",
];

/** Lines that Java's reader of properties accepts, each in a special form. */
const ODD_LINES: readonly string[] = [
  ...[
    "# c",
    "! c",
    "",
    "   ",
    "#c \\",
    "spark.only",
    "spark.cont a\\",
    "   b",
    "spark.key\\ sp v",
    "spark.u \\u0041\\u00e9",
    "spark.t a\\tb",
  ],
  ...[
    "=novalue",
    ": x",
    "spark.dd = = x",
    "spark.end \\",
    "spark.k\\=x y",
    "spark.dup 1",
    "spark.dup 2",
    "spark.esc \\q\\:\\#",
  ],
  ...[
    "spark.nul \\u0000x",
    "spark.ff\fx",
    "spark.k\\:x y",
    "spark.lines a\\\n   b\\\n\tc",
    "spark.comment v # not one",
    'spark.quoted "v"',
  ],
  ...[
    "spark.tabs\t\t=\t\tv",
    "spark.colon:v",
    "spark.hard\u00a0v",
    "spark.odd\\",
    "export spark.x=y",
    "spark.two\\\\\nspark.three v",
  ],
];
const WRONG_LINES: readonly string[] = ["spark.bad \\u00zz", "spark.short \\u00", "\ufeffspark.bom 1"];

/** The text of a properties file: usual lines with some odd ones, and line ends of all systems. */
export function propertiesText(draft: Draft, count: number): string {
  const { dice } = draft;
  const lines: string[] = [];
  for (let index = 0; index < count; index++) {
    lines.push(dice.chance(0.12) ? dice.pick(FIXED) : settingLine(draft));
    if (dice.chance(0.2)) lines.push(dice.mostly(ODD_LINES, WRONG_LINES, 0.05));
  }
  const end = dice.mostly(["\n"], ["\r\n", "\r"], 0.2);
  return lines.join(end) + dice.pick(["\n", "", end]);
}

function settingLine(draft: Draft): string {
  const { dice } = draft;
  const [key, kind] = dice.pick(KEYS);
  const value = draft.value(kind);
  const escaped = value.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll("\r", "\\r");
  const written = dice.chance(0.85) ? escaped : value;
  const text = dice.chance(0.1) ? written.replace(/[^\0-~]/g, asEscape) : written;
  const before = dice.pick(["", "", "", "  ", "\t"]);
  return `${before}${key}${dice.pick(["=", " ", ":", " = ", "\t", "  :  "])}${text}${dice.pick(["", "", "", " ", "\t", "\f"])}`;
}

function asEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
