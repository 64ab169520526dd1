import type { ResourceType } from "./resource-type.ts";

/** The resources that the server serves at the moment: the built-in ones, and those of custom resource definitions. */
export class ResourceTypes {
  readonly #types = new Map<string, ResourceType>();
  #generation = 0;

  constructor(types: readonly ResourceType[]) {
    for (const type of types) this.#types.set(typeKey(type.group, type.version, type.plural), type);
  }

  /** Counts the changes, so that data computed from all types can be invalidated. */
  get generation(): number {
    return this.#generation;
  }

  all(): ResourceType[] {
    return [...this.#types.values()];
  }

  find(group: string, version: string, plural: string): ResourceType | undefined {
    return this.#types.get(typeKey(group, version, plural));
  }

  /** The type of a kind, as owner references name it. */
  ofKind(apiVersion: string, kind: string): ResourceType | undefined {
    return this.all().find((type) => type.apiVersion === apiVersion && type.kind === kind);
  }

  /** The type of a resource in any served version. */
  ofResource(group: string, plural: string): ResourceType | undefined {
    return this.all().find((type) => type.group === group && type.plural === plural);
  }

  /** A built-in type; a request for a missing one is a bug in this package. */
  builtIn(plural: string, group: string = ""): ResourceType {
    const type = this.ofResource(group, plural);
    if (type === undefined) throw new Error(`no resource ${plural} in group ${JSON.stringify(group)}`);
    return type;
  }

  set(type: ResourceType): void {
    this.#types.set(typeKey(type.group, type.version, type.plural), type);
    this.#generation += 1;
  }

  remove(group: string, plural: string): void {
    for (const [key, type] of this.#types) {
      if (type.group === group && type.plural === plural) this.#types.delete(key);
    }
    this.#generation += 1;
  }
}

function typeKey(group: string, version: string, plural: string): string {
  return `${group}/${version}/${plural}`;
}
