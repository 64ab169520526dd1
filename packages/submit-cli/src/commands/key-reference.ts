import {
  confType,
  isConfPrefix,
  optionalConfKey,
  type ConfKey,
  type ConfPrefix,
  type Reader,
} from "@kindling/core-spec";
import { allKeys, LOCALIZER_KEYS } from "@kindling/steps";
import {
  CONNECTION_KEYS,
  FILE_UPLOAD_PATH,
  PACKAGES_KEYS,
  POD_NAME_PREFIX,
  REPORT_INTERVAL,
  STAGING_KEYS,
  STEPS,
} from "@kindling/submit";
import { WAIT_APP_COMPLETION } from "../submit.ts";
import { EXIT_CODE } from "./exit-code.ts";
import { GRACE_PERIOD } from "./kill-command.ts";

const SPARK_VERSION_KEY = optionalConfKey({
  key: "spark.kindling.sparkVersion",
  type: confType.text,
  since: "3.5.0",
  readBy: ["submit"],
  doc: "Which Spark's behaviour is wanted. If unset: KINDLING_SPARK_VERSION, else the tag of the image, else the newest that is known.",
});

/** One key or family of keys, ready to be shown. */
export interface KeyEntry {
  readonly key: string;
  readonly type: string;
  /** A default for each span of Spark versions in which it differs. */
  readonly default: string | undefined;
  readonly since: string | undefined;
  readonly until: string | undefined;
  readonly readBy: readonly Reader[];
  readonly alternatives: readonly string[];
  readonly doc: string;
}

/** The reference of keys, by name. */
export function keyReference(): KeyEntry[] {
  const own = [
    ...CONNECTION_KEYS,
    REPORT_INTERVAL,
    POD_NAME_PREFIX,
    FILE_UPLOAD_PATH,
    STEPS,
    WAIT_APP_COMPLETION,
    GRACE_PERIOD,
    ...LOCALIZER_KEYS,
    ...STAGING_KEYS,
    ...PACKAGES_KEYS,
  ];
  const entries = [...allKeys(), ...own, SPARK_VERSION_KEY, EXIT_CODE].map(entryOf);
  return [...new Map(entries.map((entry) => [entry.key, entry])).values()].sort((a, b) => (a.key < b.key ? -1 : 1));
}

function entryOf(declared: ConfKey<unknown> | ConfPrefix): KeyEntry {
  const { since, until, readBy, doc } = declared;
  if (isConfPrefix(declared)) {
    return {
      key: declared.prefix + declared.placeholder,
      type: "string",
      default: undefined,
      since,
      until,
      readBy,
      alternatives: [],
      doc,
    };
  }
  const defaults = declared.defaults
    .map((row) => (row.text === "" ? "" : `${row.text}${span(row)}`))
    .filter((text) => text !== "");
  return {
    key: declared.key,
    type: declared.type.name,
    default: defaults.length === 0 ? undefined : defaults.join(", "),
    since,
    until,
    readBy,
    alternatives: declared.alternatives ?? [],
    doc,
  };
}

function span({ since, until }: { readonly since?: string; readonly until?: string }): string {
  if (since !== undefined) return ` (from ${since})`;
  return until === undefined ? "" : ` (before ${until})`;
}
