import type { DamageListener } from "./damage.ts";
import type { Version } from "./document-store.ts";

/**
 * Which documents of a shared store were found damaged. They stay where they are: another server may be about to replace
 * one, and in a shared store a move could remove the replacement.
 */
export interface DamagedVersions {
  /** Reports the damage, the first time. */
  note(collection: string, name: string, version: Version, reason: string): void;
  includes(collection: string, name: string, version: Version): boolean;
  /** The document has been deleted or replaced. */
  forget(collection: string, name: string): void;
  names(collection: string): readonly string[];
}

// If more documents than these are damaged, the whole store is.
const MOST_KEPT = 10_000;

export function damagedVersions(onDamage: DamageListener): DamagedVersions {
  const versions = new Map<string, Version>();
  return {
    note(collection, name, version, reason) {
      const key = `${collection}/${name}`;
      if (versions.get(key) === version) return;
      if (versions.size < MOST_KEPT) versions.set(key, version);
      onDamage({ what: "document", name: key, reason });
    },
    includes: (collection, name, version) => versions.get(`${collection}/${name}`) === version,
    forget: (collection, name) => void versions.delete(`${collection}/${name}`),
    names: (collection) =>
      [...versions.keys()]
        .filter((key) => key.startsWith(`${collection}/`))
        .map((key) => key.slice(collection.length + 1))
        .filter((name) => !name.includes("/")),
  };
}

/** The value of a JSON text; `undefined` if it is no JSON. */
export function parseDocument(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}
