// @ts-check
// Writes the table of the types that pods and pod groups consist of. The values of a template are read with this table. It is
// made from recordings/pod-types, which describes the classes of Spark's Kubernetes client. Usage: node
// tools/references/pod-types.mjs
//
// A recording is made with the jars of a Spark:
//   java -cp "$SPARK_HOME/jars/*" tools/references/pod-types/PodTypes.java io.fabric8.kubernetes.api.model.Pod \
//     io.fabric8.volcano.api.model.scheduling.v1beta1.PodGroup > recordings/pod-types/7.6.1.txt
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const RECORDINGS = new URL("../../recordings/pod-types/", import.meta.url);
export const POD_TYPES = new URL("../../packages/submit/src/pod-templates/pod-types.ts", import.meta.url);

// The client reads octal numbers only in fields of these names (GoIntegerDeserializer).
const MODES = new Set(["mode", "defaultMode"]);

/** @typedef {Map<string, Map<string, string>>} Types for each type by name: the types of its fields, by their names */

/** The types of each recorded release of the client, oldest first. */
export function recordedTypes() {
  return readdirSync(RECORDINGS)
    .toSorted((a, b) => a.localeCompare(b, "en", { numeric: true }))
    .map((name) => typesIn(readFileSync(new URL(name, RECORDINGS), "utf8")));
}

/** @param {string} text */
function typesIn(text) {
  /** @type {Types} */
  const types = new Map();
  /** @type {Map<string, string>} */
  let fields = new Map();
  for (const line of text.trimEnd().split("\n")) {
    const [, field, type] = /^ {2}(\S+): (\S+)$/.exec(line) ?? [];
    if (field === undefined || type === undefined) types.set(line, (fields = new Map()));
    else fields.set(field, type);
  }
  return types;
}

/** The module as it should be. */
export function podTypes() {
  const releases = recordedTypes();
  const [newest = []] = releases.slice(-1);
  const lines = [...newest].map(([name, fields]) => {
    /** @type {Map<string, string[]>} */
    const byType = new Map();
    for (const [field, type] of fields) {
      const kind = type === "int32" && MODES.has(field) ? "mode" : type;
      // If a release does not know a field, nothing inside the field is compared there.
      const since = releases.findIndex((types) => types.get(name)?.has(field) ?? true);
      byType.set(kind, [...(byType.get(kind) ?? []), since === 0 ? field : `${field}+${since}`]);
    }
    return [name, ...[...byType].map(([type, names]) => `${type}=${names.join(",")}`)].join(" ");
  });
  return `// Written by tools/references/pod-types.mjs.

/**
 * The types that pods and pod groups are made of, a line each: its name, then its fields by their types. \`+2\` behind a
 * field: only the third of the recorded releases of Spark's client knows it.
 */
export const POD_TYPES = \`
${lines.join("\n")}
\`;
`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) writeFileSync(POD_TYPES, podTypes());
