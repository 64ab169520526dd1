// Whether the custom resource definitions of Kindling's operator take what those of kubeflow's take.
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";

const OURS = fileURLToPath(new URL("../../deploy/helm/kindling-operator/crds/", import.meta.url));
const STOCK = join(homedir(), ".cache/kindling-test-servers/kubeflow-operator-2.5.2/source/config/crd/bases");

/** What a schema says of a value. Patterns are left out: the only one of stock's outside of quantities lets all names pass. */
const FACTS = ["type", "format", "enum", "minimum", "maximum", "nullable", "x-kubernetes-int-or-string"];

/**
 * Compares both definitions: each name, scope, printer column and subresource of stock's, and each field of spec and
 * status with its type, format, enumeration, bounds and required members, has to be in ours. Below a part of a pod, which
 * ours leaves to the API server, nothing is compared.
 *
 * @param {string} [stock] folder with kubeflow's generated definitions (config/crd/bases of v2.5.2)
 * @param {string} [ours] folder with ours
 * @returns {{fields: number, differences: string[]}} how many fields of stock's were looked at, and what is missing
 */
export function compareCrds(stock = STOCK, ours = OURS) {
  const differences = [];
  let fields = 0;

  function compare(theirs, own, path) {
    fields += 1;
    if (own === undefined) {
      differences.push(`${path}: is missing`);
      return;
    }
    for (const fact of FACTS) {
      if (!isSame(theirs[fact], own[fact]))
        differences.push(`${path}: ${fact} is ${shown(own[fact])}, not ${shown(theirs[fact])}`);
    }
    if (!isSame(sorted(theirs.required), sorted(own.required))) {
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

  for (const plural of ["sparkapplications", "scheduledsparkapplications"]) {
    const theirs = definition(join(stock, `sparkoperator.k8s.io_${plural}.yaml`));
    const own = definition(join(ours, `${plural}.yaml`));
    for (const part of ["name", "group", "names", "scope", "version", "subresources", "columns"]) {
      if (!isSame(theirs[part], own[part]))
        differences.push(`${plural}: ${part} is ${shown(own[part])}, not ${shown(theirs[part])}`);
    }
    compare(theirs.schema, own.schema, plural);
  }
  return { fields, differences };
}

function definition(file) {
  const { metadata, spec } = parse(readFileSync(file, "utf8"));
  const [version] = spec.versions;
  return {
    name: metadata.name,
    group: spec.group,
    names: spec.names,
    scope: spec.scope,
    version: version.name,
    subresources: version.subresources,
    columns: version.additionalPrinterColumns,
    schema: version.schema.openAPIV3Schema,
  };
}

function isSame(one, other) {
  return shown(one) === shown(other);
}

function sorted(list) {
  return list?.toSorted();
}

/** As text in which the order of members does not count. */
function shown(value) {
  return JSON.stringify(value, (_, part) =>
    typeof part === "object" && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
