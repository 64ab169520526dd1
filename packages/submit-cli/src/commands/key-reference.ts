import {
  isConfPrefix,
  releaseOf,
  type ConfKey,
  type ConfPrefix,
  type Reader,
  type Versioned,
} from "@kindling/core-spec";
import { allKeys } from "@kindling/steps";
import { SUBMISSION_KEYS } from "@kindling/submit";
import { EXIT_CODE } from "./exit-code.ts";

/** One key or family of keys, ready to be shown. */
export interface KeyEntry {
  readonly key: string;
  readonly type: string;
  /** The default, for each range of Spark versions with a different one. */
  readonly default: string | undefined;
  readonly since: string | undefined;
  readonly until: string | undefined;
  readonly readBy: readonly Reader[];
  readonly alternatives: readonly string[];
  readonly doc: string;
}

/** The configuration reference, by name. */
export function keyReference(): KeyEntry[] {
  const entries = [...allKeys(), ...SUBMISSION_KEYS, EXIT_CODE].map(entryOf);
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

function span({ from, before }: Versioned): string {
  if (from !== undefined) return ` (from ${releaseOf(from)})`;
  return before === undefined ? "" : ` (before ${releaseOf(before)})`;
}
