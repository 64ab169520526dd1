import type { Json, KubeObject } from "@kindling/kube-objects";
import { age } from "./human-duration.ts";

export type ColumnType = "string" | "integer" | "number" | "boolean" | "date";

/** A column of `kubectl get`. Those with a priority above 0 are for `-o wide`. */
export interface Column {
  readonly name: string;
  readonly type: ColumnType;
  readonly format: string;
  readonly priority: number;
}

/** The columns of a resource, and how an object fills them. */
export interface Columns {
  readonly definitions: readonly Column[];
  readonly cells: (object: KubeObject, now: number) => Json[];
}

/**
 * Reads column definitions: `Name | Ready | Desired:integer | IP* `. A star marks a column that only `-o wide` shows; the
 * name column is recognised by its name.
 */
export function columns(text: string, cells: Columns["cells"]): Columns {
  const definitions = text.split("|").map((part): Column => {
    const wide = part.trim().endsWith("*");
    const [name = "", type = "string"] = part.trim().replace(/\*$/, "").split(":");
    const format = name === "Name" ? "name" : "";
    return { name, type: type as ColumnType, format, priority: wide ? 1 : 0 };
  });
  return { definitions, cells };
}

/** The columns of resources that have none of their own. */
export const createdAtColumns: Columns = columns("Name | Created At:date", ({ metadata }) => [
  metadata.name,
  metadata.creationTimestamp,
]);

/** Name and age, with the cells of the columns between them. */
export function namedCells(between: (object: KubeObject, now: number) => Json[]): Columns["cells"] {
  return (object, now) => [object.metadata.name, ...between(object, now), age(object.metadata.creationTimestamp, now)];
}

/** A text, or the text for "none". */
export function orNone(text: string | undefined, none: string = "<none>"): string {
  return text === undefined || text === "" ? none : text;
}

/** Labels as `a=b,c=d`, in order of their keys. */
export function formatLabels(labels: Readonly<Record<string, string>> | undefined): string {
  const entries = Object.entries(labels ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  return orNone(entries.map(([key, value]) => `${key}=${value}`).join(","));
}
