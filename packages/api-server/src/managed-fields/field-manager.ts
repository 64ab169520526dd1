import type { JsonObject } from "@kindling/kube-objects";
import type { StructType } from "../schema/types.ts";
import type { ManagedFields } from "../storage/stored-object.ts";
import { type Comparison, compareObjects } from "./compare.ts";
import { FieldSet, parseFieldSet } from "./field-set.ts";
import { entryElement } from "./typed-value.ts";
import { UNOWNED, UNOWNED_METADATA } from "./unowned-fields.ts";

/** Who writes, through what, when. */
export interface Writer {
  readonly manager: string;
  readonly apiVersion: string;
  readonly subresource: string | undefined;
  readonly time: string;
}

/** The object types that a write goes through, and the fields that it cannot set (those of another subresource). */
export interface WriteScope {
  readonly type: StructType | undefined;
  readonly ignored: FieldSet | undefined;
}

const NEVER_OWNED = new FieldSet([...UNOWNED, "metadata"].map(entryElement), [
  [entryElement("metadata"), new FieldSet(UNOWNED_METADATA.map(entryElement))],
]);

/**
 * Who owns which fields after a create, update or patch: the writer owns the fields that it added or changed; others lose
 * these and the removed ones (counterpart of apimachinery's `FieldManager.Update`).
 */
export function trackUpdate(
  scope: WriteScope,
  before: JsonObject,
  after: JsonObject,
  managed: readonly ManagedFields[],
  writer: Writer,
): readonly ManagedFields[] {
  const { added, modified, removed } = within(compareObjects(scope.type, before, after), scope.ignored);
  const written = added.union(modified);
  const touched = written.union(removed);
  if (touched.isEmpty) return managed;
  const others = managed.map((entry) => giveUp(entry, touched)).filter((entry) => entry.fields !== "{}");
  const own = written.difference(NEVER_OWNED);
  if (own.isEmpty) return sortManaged(others);
  const isWriter = (entry: ManagedFields): boolean =>
    entry.operation === "Update" &&
    entry.manager === writer.manager &&
    entry.apiVersion === writer.apiVersion &&
    entry.subresource === writer.subresource;
  const previous = others.find(isWriter);
  const fields = previous === undefined ? own : own.union(parseFieldSet(previous.fields));
  return sortManaged([...others.filter((entry) => !isWriter(entry)), entryOf(writer, "Update", fields)]);
}

/** A manager's entry of managed fields. */
export function entryOf(writer: Writer, operation: "Apply" | "Update", fields: FieldSet): ManagedFields {
  return {
    manager: writer.manager,
    operation,
    apiVersion: writer.apiVersion,
    time: writer.time,
    fields: fields.toText(),
    ...(writer.subresource === undefined ? {} : { subresource: writer.subresource }),
  };
}

/** A comparison without the fields that a writer cannot set. */
export function within(comparison: Comparison, ignored: FieldSet | undefined): Comparison {
  if (ignored === undefined) return comparison;
  return {
    added: comparison.added.recursiveDifference(ignored),
    modified: comparison.modified.recursiveDifference(ignored),
    removed: comparison.removed.recursiveDifference(ignored),
  };
}

/** The fields of a set that may have an owner. */
export function ownable(set: FieldSet): FieldSet {
  return set.difference(NEVER_OWNED);
}

/** An entry without the given fields. */
export function giveUp(entry: ManagedFields, fields: FieldSet): ManagedFields {
  if (!mayOverlap(entry.fields, fields)) return entry;
  const left = parseFieldSet(entry.fields).difference(fields).toText();
  return left === entry.fields ? entry : { ...entry, fields: left };
}

/** The entries in the order in which the server lists them. */
export function sortManaged(entries: readonly ManagedFields[]): readonly ManagedFields[] {
  if (entries.length < 2) return entries;
  return [...entries].sort(
    (a, b) =>
      compareText(a.operation, b.operation) ||
      compareText(a.time, b.time) ||
      compareText(a.manager, b.manager) ||
      compareText(a.apiVersion, b.apiVersion) ||
      compareText(a.subresource ?? "", b.subresource ?? ""),
  );
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

// Most writes of controllers change only the status: a search in the text avoids parsing the owners of the spec.
function mayOverlap(text: string, fields: FieldSet): boolean {
  for (const element of [...fields.members, ...fields.children.keys()]) {
    if (text.includes(`${JSON.stringify(element)}:`)) return true;
  }
  return false;
}
