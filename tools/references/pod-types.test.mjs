// @ts-check
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { kubernetesSchema } from "../../packages/devcluster/src/types/fields/kubernetes-schema.ts";
import { POD_TYPES, podTypes, recordedTypes } from "./pod-types.mjs";

const [newest = []] = recordedTypes().slice(-1);

test("the table of the types of pods is up to date", () => {
  expect(readFileSync(POD_TYPES, "utf8"), "run node tools/references/pod-types.mjs").toBe(podTypes());
});

test("the types are Kubernetes' own, as far as our API server has them", () => {
  const schema = kubernetesSchema();
  const different = [];
  let compared = 0;
  for (const [name, fields] of newest) {
    for (const { name: field, type } of schema.get(name)?.fields ?? []) {
      // A template has no status, and the server's own `fieldsV1` may be any object.
      if (fields.get(field) === "any" || field === "fieldsV1") continue;
      compared++;
      if (fields.get(field) !== nameOf(type)) different.push(`${name}.${field}: ${fields.get(field)}, ${nameOf(type)}`);
    }
  }
  expect(different).toEqual([]);
  expect(compared).toBeGreaterThan(250);
});

/**
 * Types that have another name in the recordings.
 *
 * @type {Readonly<Record<string, string>>}
 */
const NAMES = { quantity: "Quantity", intOrString: "IntOrString", time: "string", microTime: "string" };

/**
 * The name of the type in the recordings.
 *
 * @param {import("../../packages/api-server/dist/index.js").Type} type
 * @returns {string}
 */
function nameOf(type) {
  if (type.kind === "list") return `[]${nameOf(type.items)}`;
  if (type.kind === "map") return `{}${nameOf(type.values)}`;
  if (type.kind === "struct") return type.name;
  return NAMES[type.kind] ?? type.kind;
}
