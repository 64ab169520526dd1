import type { PodChanges } from "@kindling/core-spec";
import { NO_CHANGES } from "./combined-changes.ts";
import { isListOf, isRecord, isText } from "../plain-data.ts";

type Member = keyof PodChanges;

const LISTS = [
  "ownerReferences",
  "volumes",
  "hostAliases",
  "tolerations",
  "initContainers",
  "sidecars",
  "env",
  "envFrom",
  "ports",
  "volumeMounts",
] as const satisfies readonly Member[];
const TEXT_MAPS = ["nodeSelector", "limits"] as const satisfies readonly Member[];
const FIELDS = ["spec", "container"] as const satisfies readonly Member[];

/** Changes without the members that change nothing. */
export function changesAsData(changes: PodChanges): Partial<PodChanges> {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => Object.keys(value as object).length > 0));
}

/**
 * Reads what {@link changesAsData} made; undefined for anything else. The API server checks the content of the members: they
 * are parts of a pod.
 */
export function readChanges(value: unknown): PodChanges | undefined {
  if (!isRecord(value)) return undefined;
  const changes: Record<string, unknown> = { ...NO_CHANGES, ...value };
  const isSound =
    Object.keys(changes).every((member) => Object.hasOwn(NO_CHANGES, member)) &&
    LISTS.every((member) => isListOf(changes[member], isRecord)) &&
    TEXT_MAPS.every((member) => isRecord(changes[member]) && Object.values(changes[member]).every(isText)) &&
    FIELDS.every((member) => isRecord(changes[member])) &&
    isListOf(changes["cleared"], isText);
  return isSound ? (changes as unknown as PodChanges) : undefined;
}
