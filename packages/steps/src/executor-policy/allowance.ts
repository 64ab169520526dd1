import { isRecord } from "../plain-data.ts";
import { type Allowed, excessPowers, type PodParts } from "./executor-excess.ts";
import type { Path } from "./power.ts";

/** What executors may have in addition to their driver's pod: parts of a pod's spec, and annotations in `metadata`. */
export type Allowance = Readonly<Record<string, unknown>>;

/** An allowance in the form of the parts of a pod. */
export function allowanceParts({ metadata, ...spec }: Allowance): PodParts {
  return { spec, annotations: isRecord(metadata) ? metadata["annotations"] : undefined };
}

/** Reads the value of the annotation; undefined if it is no allowance. */
export function parseAllowance(text: string): Allowance | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The smallest allowance for this executor; empty if none is needed. */
export function allowanceFor(executor: PodParts, allowed: Allowed): Allowance {
  const tree: Tree = new Map();
  for (const { allowing } of excessPowers(executor, allowed)) {
    for (const { path, value } of allowing) plant(tree, path[0] === "spec" ? path.slice(1) : path, value);
  }
  return Object.fromEntries([...tree].map(([name, branch]) => [String(name), grown(branch)]));
}

/** Both allowances together: lists are joined without duplicates; for other conflicts the second one wins. */
export function joinedAllowances(one: Allowance, other: Allowance): Allowance {
  const added = Object.entries(other).map(([name, value]) => [name, joined(one[name], value)] as const);
  return { ...one, ...Object.fromEntries(added) };
}

function joined(one: unknown, other: unknown): unknown {
  if (Array.isArray(one) && Array.isArray(other)) {
    const known = new Set(one.map((item) => JSON.stringify(item)));
    return [...(one as unknown[]), ...other.filter((item) => !known.has(JSON.stringify(item)))];
  }
  return isRecord(one) && isRecord(other) ? joinedAllowances(one, other) : other;
}

/** Parts of a pod by their places; items of lists are named by their numbers. */
type Tree = Map<string | number, Branch>;
type Branch = Tree | { readonly leaf: unknown };

function plant(tree: Tree, [name, ...rest]: Path, value: unknown): void {
  if (name === undefined) return;
  const isWhole = rest.length === 0;
  const members = membersOf(value);
  if (isWhole && members.length === 0) {
    tree.set(name, { leaf: value });
    return;
  }
  const known = tree.get(name);
  const branch: Tree = known instanceof Map ? known : new Map();
  tree.set(name, branch);
  if (!isWhole) plant(branch, rest, value);
  else for (const [member, inner] of members) plant(branch, [member], inner);
}

function membersOf(value: unknown): (readonly [string | number, unknown])[] {
  if (Array.isArray(value)) return value.map((item: unknown, index) => [index, item] as const);
  return isRecord(value) ? Object.entries(value) : [];
}

function grown(branch: Branch): unknown {
  if (!(branch instanceof Map)) return branch.leaf;
  const members = [...branch].map(([name, inner]) => [name, grown(inner)] as const);
  const isList = members.every(([name]) => typeof name === "number");
  if (!isList) return Object.fromEntries(members);
  return members.toSorted(([a], [b]) => Number(a) - Number(b)).map(([, value]) => value);
}
