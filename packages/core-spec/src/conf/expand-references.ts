/** Where the names in `${name}`, `${env:NAME}` and `${system:NAME}` are looked up. */
export interface ReferenceSources {
  conf(key: string): string | undefined;
  env(name: string): string | undefined;
  system(name: string): string | undefined;
}

const REFERENCE = /\$\{(?:(\w+?):)?(\S+?)\}/g;

export class CircularReference extends Error {
  readonly reference: string;

  constructor(reference: string) {
    super(`circular reference \${${reference}}`);
    this.reference = reference;
  }
}

/**
 * Expands `${…}` references as Spark's typed reads do (3.5.6 and 4.1.1, internal/config/ConfigReader.scala): a plain
 * name is a key that begins with `spark.`, `env:` and `system:` name the environment and the JVM's system properties;
 * what cannot be resolved stays as it stands.
 *
 * @throws CircularReference if a value refers to itself
 */
export function expandReferences(value: string, sources: ReferenceSources, seen: readonly string[] = []): string {
  if (!value.includes("${")) return value;
  return value.replace(REFERENCE, (whole, prefix: string | undefined, name: string) => {
    const reference = prefix === undefined ? name : `${prefix}:${name}`;
    if (seen.includes(reference)) throw new CircularReference(reference);
    const found = lookUp(prefix, name, sources);
    return found === undefined ? whole : expandReferences(found, sources, [...seen, reference]);
  });
}

function lookUp(prefix: string | undefined, name: string, sources: ReferenceSources): string | undefined {
  switch (prefix) {
    case undefined:
      return name.startsWith("spark.") ? sources.conf(name) : undefined;
    case "env":
      return sources.env(name);
    case "system":
      return sources.system(name);
    default:
      return undefined;
  }
}
