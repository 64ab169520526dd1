// Whether the custom resource definitions of Kindling's operator accept the same objects as kubeflow's.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { PLACES } from "./repository.ts";

/**
 * The facts that a schema states about a value. Patterns are left out: outside of quantities there is only one stock pattern,
 * and it accepts all names.
 */
const FACTS = ["type", "format", "enum", "minimum", "maximum", "nullable", "x-kubernetes-int-or-string"] as const;

/** A schema of OpenAPI. Only the members that are compared are listed. */
interface Schema extends Readonly<Partial<Record<(typeof FACTS)[number], unknown>>> {
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: Schema;
  readonly "x-kubernetes-preserve-unknown-fields"?: boolean;
}

interface CustomResourceDefinition {
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly group: string;
    readonly names: object;
    readonly scope: string;
    readonly versions: readonly DefinitionVersion[];
  };
}

interface DefinitionVersion {
  readonly name: string;
  readonly subresources?: object;
  readonly additionalPrinterColumns?: readonly object[];
  readonly schema: { readonly openAPIV3Schema: Schema };
}

export interface ComparedCrds {
  /** How many stock fields were compared. */
  readonly fields: number;
  readonly differences: readonly string[];
}

/**
 * Compares both definitions. Each stock name, scope, printer column and subresource must be in our definition. The same is true
 * for each stock field of spec and status, with its type, format, enumeration, bounds and required members. Nothing is compared
 * inside a part of a pod, because our definition leaves it to the API server.
 *
 * @param stock folder with kubeflow's generated definitions (config/crd/bases of v2.5.2)
 * @param ours folder with our definitions
 */
export function compareCrds(stock: string, ours: string = PLACES.definitions): ComparedCrds {
  const differences: string[] = [];
  let fields = 0;

  function compare(theirs: Schema, own: Schema | undefined, path: string): void {
    fields += 1;
    if (own === undefined) {
      differences.push(`${path}: is missing`);
      return;
    }
    for (const fact of FACTS) {
      if (!isSame(theirs[fact], own[fact]))
        differences.push(`${path}: ${fact} is ${shown(own[fact])}, not ${shown(theirs[fact])}`);
    }
    if (!isSame(theirs.required?.toSorted(), own.required?.toSorted())) {
      differences.push(`${path}: required is ${shown(own.required)}, not ${shown(theirs.required)}`);
    }
    if (own["x-kubernetes-preserve-unknown-fields"] === true) return;
    for (const [name, field] of Object.entries(theirs.properties ?? {})) {
      compare(field, own.properties?.[name], `${path}.${name}`);
    }
    if (theirs.items !== undefined) compare(theirs.items, own.items, `${path}[]`);
    if (theirs.additionalProperties !== undefined) {
      compare(theirs.additionalProperties, own.additionalProperties, `${path}{}`);
    }
  }

  for (const plural of ["sparkapplications", "scheduledsparkapplications", "sparkconnects"]) {
    const theirs = definition(join(stock, `sparkoperator.k8s.io_${plural}.yaml`));
    const own = definition(join(ours, `${plural}.yaml`));
    for (const [part, value] of Object.entries(theirs.parts)) {
      const ofOurs = own.parts[part];
      if (!isSame(value, ofOurs)) differences.push(`${plural}: ${part} is ${shown(ofOurs)}, not ${shown(value)}`);
    }
    compare(theirs.schema, own.schema, plural);
  }
  return { fields, differences };
}

interface Definition {
  /** The parts that are compared as a whole. */
  readonly parts: Readonly<Record<string, unknown>>;
  readonly schema: Schema;
}

function definition(file: string): Definition {
  const { metadata, spec } = parse(readFileSync(file, "utf8")) as CustomResourceDefinition;
  const [version] = spec.versions;
  if (version === undefined) throw new Error(`${file} has no version`);
  return {
    parts: {
      name: metadata.name,
      group: spec.group,
      names: spec.names,
      scope: spec.scope,
      version: version.name,
      subresources: version.subresources,
      columns: version.additionalPrinterColumns,
    },
    schema: version.schema.openAPIV3Schema,
  };
}

function isSame(one: unknown, other: unknown): boolean {
  return shown(one) === shown(other);
}

/** Shows a value as text in which the order of members does not matter. */
function shown(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === "object" && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
