/** One difference between a spec before a step and after it. */
export interface Change {
  readonly kind: "added" | "changed" | "removed";
  /** Such as `driverPod.spec.volumes[data]`: items of lists are named by their name if they have one, else by position. */
  readonly path: string;
}

/**
 * Lists what a step did to a spec. Unchanged branches are recognised by identity and cost nothing. If a value was unset
 * (undefined, null, an empty text) and is set now, it counts as added; so does everything new in lists and maps. All items of
 * a list must still be there, in the same order.
 */
export function compareSpecs(before: unknown, after: unknown): Change[] {
  const changes: Change[] = [];
  compare(before, after, "", changes);
  return changes;
}

/**
 * Whether a path matches the pattern or is under it. In a pattern `*` stands for any text within one name: up to the next
 * dot, or inside brackets up to the closing one.
 */
export function covers(pattern: string, path: string): boolean {
  if (!pattern.includes("*"))
    return path === pattern || path.startsWith(`${pattern}.`) || path.startsWith(`${pattern}[`);
  let source = "";
  for (const piece of pattern.split(/(\*)/)) {
    const insideBrackets = source.lastIndexOf("[") > source.lastIndexOf("]");
    source += piece !== "*" ? escapeRegExp(piece) : insideBrackets ? "[^\\]]+" : "[^.\\]]+";
  }
  return new RegExp(`^${source}(?:$|[.[])`).test(path);
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

function isUnset(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function compare(before: unknown, after: unknown, path: string, changes: Change[]): void {
  if (before === after) return;
  if (isUnset(before)) {
    if (!isUnset(after)) added(after, path, changes);
  } else if (isUnset(after)) {
    changes.push({ kind: "removed", path });
  } else if (Array.isArray(before) && Array.isArray(after)) {
    compareLists(before, after, path, changes);
  } else if (isRecord(before) && isRecord(after)) {
    for (const key of Object.keys(before)) compare(before[key], after[key], member(path, key), changes);
    for (const key of Object.keys(after)) {
      if (!Object.hasOwn(before, key)) compare(undefined, after[key], member(path, key), changes);
    }
  } else {
    changes.push({ kind: "changed", path });
  }
}

/** Reports a new value down to its leaves, so that later changes below it find the step that set them. */
function added(value: unknown, path: string, changes: Change[]): void {
  if (Array.isArray(value)) {
    if (value.length === 0) return;
    value.forEach((item: unknown, index) => added(item, element(path, item, index), changes));
  } else if (isRecord(value)) {
    const keys = Object.keys(value).filter((key) => !isUnset(value[key]));
    if (keys.length === 0) changes.push({ kind: "added", path });
    for (const key of keys) added(value[key], member(path, key), changes);
  } else {
    changes.push({ kind: "added", path });
  }
}

function compareLists(before: readonly unknown[], after: readonly unknown[], path: string, changes: Change[]): void {
  let cursor = 0;
  before.forEach((item, index) => {
    const found = findFrom(after, cursor, item);
    if (found < 0) {
      changes.push({ kind: "removed", path: element(path, item, index) });
      return;
    }
    for (; cursor < found; cursor++) added(after[cursor], element(path, after[cursor], cursor), changes);
    compare(item, after[found], element(path, item, index), changes);
    cursor = found + 1;
  });
  for (; cursor < after.length; cursor++) added(after[cursor], element(path, after[cursor], cursor), changes);
}

/** The position of an old item in the new list: the same item, else an equal one, else the next with the same name. */
function findFrom(list: readonly unknown[], start: number, item: unknown): number {
  const same = list.indexOf(item, start);
  if (same >= 0) return same;
  const name = nameOf(item);
  for (let index = start; index < list.length; index++) {
    const other = list[index];
    if (name === undefined ? equal(item, other) : nameOf(other) === name) return index;
  }
  return -1;
}

function equal(left: unknown, right: unknown): boolean {
  return compareSpecs(left, right).length === 0;
}

/** The identity of an item in a list: its mount path, its kind and name, its name, or its key. */
function nameOf(item: unknown): string | undefined {
  if (!isRecord(item)) return undefined;
  if (typeof item["mountPath"] === "string") return item["mountPath"];
  const metadata = item["metadata"];
  if (typeof item["kind"] === "string" && isRecord(metadata) && typeof metadata["name"] === "string") {
    return `${item["kind"]}/${metadata["name"]}`;
  }
  if (typeof item["name"] === "string") return item["name"];
  return typeof item["key"] === "string" ? item["key"] : undefined;
}

function member(path: string, key: string): string {
  if (path === "") return key;
  return /^[A-Za-z_][\w-]*$/.test(key) ? `${path}.${key}` : `${path}[${key}]`;
}

function element(path: string, item: unknown, index: number): string {
  return `${path}[${nameOf(item) ?? index}]`;
}
