import { type JsonObject, jsonEqual } from "@kindling/kube-objects";
import { ApiError } from "../status/status.ts";
import type { ManagedFields } from "../storage/stored-object.ts";
import { compareObjects } from "./compare.ts";
import { type WriteScope, type Writer, entryOf, giveUp, ownable, sortManaged, within } from "./field-manager.ts";
import { type FieldSet, parseFieldSet } from "./field-set.ts";
import { mergeApplied } from "./merge.ts";
import { pathText } from "./path-text.ts";
import { removeItems, withNamedFields } from "./remove-items.ts";
import { toFieldSet } from "./to-field-set.ts";

/** A field that the applied configuration changes and another manager owns. */
interface Conflict {
  readonly entry: ManagedFields;
  readonly path: readonly string[];
}

export interface Applied {
  /** The object after the apply, still without defaults. */
  readonly object: JsonObject;
  readonly managed: readonly ManagedFields[];
}

export interface ApplyRequest {
  readonly live: JsonObject;
  readonly config: JsonObject;
  readonly managed: readonly ManagedFields[];
  readonly writer: Writer;
  readonly force: boolean;
}

/**
 * Server-side apply (counterpart of apimachinery's `FieldManager.Apply`): the configuration is merged into the live object.
 * What its manager applied before and no longer applies is removed, and with force also other managers' ownership.
 *
 * @throws ApiError 409 with one cause per conflict.
 */
export function applyConfiguration(scope: WriteScope, request: ApplyRequest): Applied {
  const { live, config, managed, writer } = request;
  const mine = managed.find((entry) => isMine(entry, writer));
  const others = managed.filter((entry) => entry !== mine);
  const given = toFieldSet(scope.type, config);
  const set = scope.ignored === undefined ? given : given.recursiveDifference(scope.ignored);
  const merged = mergeApplied(scope.type, live, config);
  const object = mine === undefined ? merged : prune(scope, merged, parseFieldSet(mine.fields), set, others);

  const { added, modified, removed } = within(compareObjects(scope.type, live, object), scope.ignored);
  const written = added.union(modified);
  const conflicts = others.flatMap((entry) =>
    [...parseFieldSet(entry.fields).intersection(written).paths()].map((path): Conflict => ({ entry, path })),
  );
  refuseConflicts(conflicts, request);
  const left = others.map((entry) => giveUp(entry, written.union(removed))).filter((entry) => entry.fields !== "{}");
  const own = ownable(set);
  const changed = !jsonEqual(live, object);
  const time = changed ? writer.time : (mine?.time ?? "");
  return { object, managed: sortManaged(own.isEmpty ? left : [...left, entryOf({ ...writer, time }, "Apply", own)]) };
}

function isMine(entry: ManagedFields, writer: Writer): boolean {
  return entry.operation === "Apply" && entry.manager === writer.manager && entry.subresource === writer.subresource;
}

/** The merged object without fields that the manager applied the last time and does not apply now, if nobody else owns them. */
function prune(
  scope: WriteScope,
  merged: JsonObject,
  last: FieldSet,
  set: FieldSet,
  others: readonly ManagedFields[],
): JsonObject {
  const { type } = scope;
  const named = (fields: FieldSet): FieldSet => withNamedFields(type, fields);
  let owned = set;
  for (const entry of others) owned = owned.union(parseFieldSet(entry.fields));
  const mergedSet = named(toFieldSet(type, merged));
  const withoutLast = removeItems(type, merged, named(last));
  const kept = named(toFieldSet(type, withoutLast)).union(named(owned));
  const pruned = removeItems(type, merged, mergedSet.difference(kept));
  // Fields that this manager has never applied stay, even if nobody owns them.
  const prunedSet = named(toFieldSet(type, pruned));
  return removeItems(type, merged, mergedSet.difference(prunedSet).intersection(named(last)));
}

function refuseConflicts(conflicts: readonly Conflict[], { force }: ApplyRequest): void {
  if (force || conflicts.length === 0) return;
  const causes = conflicts.map(({ entry, path }) => ({
    reason: "FieldManagerConflict",
    message: `conflict with ${describeManager(entry)}`,
    field: pathText(path),
  }));
  throw new ApiError(409, "Conflict", conflictMessage(conflicts), { causes });
}

function conflictMessage(conflicts: readonly Conflict[]): string {
  const [first] = conflicts;
  if (conflicts.length === 1 && first !== undefined) {
    return `Apply failed with 1 conflict: conflict with ${describeManager(first.entry)}: ${pathText(first.path)}`;
  }
  const lines: string[] = [];
  let current: ManagedFields | undefined;
  for (const { entry, path } of conflicts) {
    if (entry !== current) lines.push(`conflicts with ${describeManager(entry)}:`);
    current = entry;
    lines.push(`- ${pathText(path)}`);
  }
  return `Apply failed with ${conflicts.length} conflicts: ${lines.join("\n")}`;
}

function describeManager({ manager, subresource, operation, apiVersion }: ManagedFields): string {
  const through = subresource === undefined ? "" : ` with subresource ${JSON.stringify(subresource)}`;
  return `${JSON.stringify(manager)}${through}${operation === "Update" ? ` using ${apiVersion}` : ""}`;
}
