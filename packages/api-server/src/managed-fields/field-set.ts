import { type JsonObject, isObject } from "@kindling/kube-objects";

/**
 * A set of field paths. A path is a list of elements in the notation of FieldsV1: `f:name` for a field or map key,
 * `k:{"name":"x"}` for an item of a list that is a map, `v:1` for an item of a set.
 */
export class FieldSet {
  /** The elements whose own path is in the set. */
  readonly members: Set<string>;
  /** What the set holds below an element. */
  readonly children: Map<string, FieldSet>;

  constructor(members: Iterable<string> = [], children: Iterable<readonly [string, FieldSet]> = []) {
    this.members = new Set(members);
    this.children = new Map(children);
  }

  get isEmpty(): boolean {
    return this.members.size === 0 && [...this.children.values()].every((child) => child.isEmpty);
  }

  insert(path: readonly string[]): void {
    this.#insertFrom(path, 0);
  }

  #insertFrom(path: readonly string[], at: number): void {
    const element = path[at];
    if (element === undefined) return;
    if (at === path.length - 1) {
      this.members.add(element);
      return;
    }
    let child = this.children.get(element);
    if (child === undefined) {
      child = new FieldSet();
      this.children.set(element, child);
    }
    child.#insertFrom(path, at + 1);
  }

  union(other: FieldSet): FieldSet {
    const children = new Map(this.children);
    for (const [element, theirs] of other.children) {
      const ours = children.get(element);
      children.set(element, ours === undefined ? theirs : ours.union(theirs));
    }
    return new FieldSet([...this.members, ...other.members], children);
  }

  intersection(other: FieldSet): FieldSet {
    const children: [string, FieldSet][] = [];
    for (const [element, ours] of this.children) {
      const theirs = other.children.get(element);
      if (theirs !== undefined) children.push([element, ours.intersection(theirs)]);
    }
    return new FieldSet(
      [...this.members].filter((element) => other.members.has(element)),
      withoutEmpty(children),
    );
  }

  /** The paths that are not in `other`; a path below one of `other`'s stays. */
  difference(other: FieldSet): FieldSet {
    const children: [string, FieldSet][] = [];
    for (const [element, ours] of this.children) {
      const theirs = other.children.get(element);
      children.push([element, theirs === undefined ? ours : ours.difference(theirs)]);
    }
    return new FieldSet(
      [...this.members].filter((element) => !other.members.has(element)),
      withoutEmpty(children),
    );
  }

  /** The paths that are neither in `other` nor below one of its paths. */
  recursiveDifference(other: FieldSet): FieldSet {
    const children: [string, FieldSet][] = [];
    for (const [element, ours] of this.children) {
      if (other.members.has(element)) continue;
      const theirs = other.children.get(element);
      children.push([element, theirs === undefined ? ours : ours.recursiveDifference(theirs)]);
    }
    return new FieldSet(
      [...this.members].filter((element) => !other.members.has(element)),
      withoutEmpty(children),
    );
  }

  /** All paths, in the order of FieldsV1. */
  *paths(prefix: readonly string[] = []): Generator<readonly string[]> {
    for (const element of this.#elements()) {
      if (this.members.has(element)) yield [...prefix, element];
      yield* this.children.get(element)?.paths([...prefix, element]) ?? [];
    }
  }

  /** The text of FieldsV1. */
  toText(): string {
    const parts: string[] = [];
    for (const element of this.#elements()) {
      const child = this.children.get(element);
      const inner = child === undefined ? "" : child.toText().slice(1, -1);
      const self = this.members.has(element) && inner !== "" ? '".":{},' : "";
      parts.push(`${JSON.stringify(element)}:{${self}${inner}}`);
    }
    return `{${parts.join(",")}}`;
  }

  // The elements in order: fields before keys before values, each by its text.
  #elements(): string[] {
    return [...new Set([...this.members, ...this.children.keys()])].sort(compareElements);
  }
}

/** Reads the text of FieldsV1. */
export function parseFieldSet(text: string): FieldSet {
  return fieldSetOf(JSON.parse(text) as JsonObject);
}

function fieldSetOf(fields: JsonObject): FieldSet {
  const set = new FieldSet();
  for (const [element, inner] of Object.entries(fields)) {
    if (element === ".") continue;
    const below = isObject(inner) ? inner : {};
    const keys = Object.keys(below);
    if (keys.length === 0 || keys.includes(".")) set.members.add(element);
    if (keys.some((key) => key !== ".")) set.children.set(element, fieldSetOf(below));
  }
  return set;
}

const ORDER = "fkvi";

function compareElements(a: string, b: string): number {
  const kinds = ORDER.indexOf(a.charAt(0)) - ORDER.indexOf(b.charAt(0));
  return kinds === 0 ? (a < b ? -1 : 1) : kinds;
}

function withoutEmpty(children: readonly [string, FieldSet][]): [string, FieldSet][] {
  return children.filter(([, child]) => !child.isEmpty);
}
