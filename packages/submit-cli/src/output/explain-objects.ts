import { isMap, isScalar, isSeq, type Node } from "yaml";
import { ownersIn, type KubernetesResource, type Pod } from "@kindling/core-spec";
import { redactObject, type ExecutorPlan, type Redaction, type SubmissionPlan } from "@kindling/submit";
import { formatJson } from "@kindling/command-line";
import { documentText, yamlDocument } from "@kindling/command-line/yaml";

/** What is added after all steps: the ConfigMap of the configuration, and its mount. */
const ASSEMBLY = "configuration";

type OwnerOf = (path: string) => string | undefined;

export interface Explained {
  readonly object: Pod | KubernetesResource;
  /** The step that set a field of this object, by the path inside the object. */
  readonly owner: (path: readonly (string | number)[]) => string;
}

export interface ExplainOptions {
  readonly format: "yaml" | "json";
  /** How to remove secrets; if unset, they are shown. */
  readonly redaction: Redaction | undefined;
}

/** Objects with the name of the step that set it after each value. */
export function explained(objects: readonly Explained[], { format, redaction }: ExplainOptions): string {
  const shown = objects.map(({ object, owner }) => ({
    object: redaction === undefined ? object : redactObject(object, redaction),
    owner,
  }));
  if (format === "json") return formatJson(shown.map(asJson));
  return shown.map((entry) => annotated(entry)).join("---\n");
}

/** The objects of a submission. */
export function explainDriver({ objects, provenance }: SubmissionPlan): Explained[] {
  const ownerOf = ownersIn(provenance);
  return [
    ...objects.preResources.map((object) => explainResource(object, "preKubernetesResources", ownerOf)),
    ...objects.resources.map((object, index) =>
      index === objects.resources.length - 1
        ? { object, owner: () => ASSEMBLY }
        : explainResource(object, "otherKubernetesResources", ownerOf),
    ),
    explainPod(objects.pod, "driver", ownerOf),
  ];
}

/** The objects that a driver creates for an executor. */
export function explainExecutor({ objects, provenance }: ExecutorPlan): Explained[] {
  const ownerOf = ownersIn(provenance);
  return objects.map((object, index) => {
    if (index === objects.length - 1) return explainPod(object, "executor", ownerOf);
    return index === 0
      ? { object, owner: () => "the driver" }
      : explainResource(object as KubernetesResource, "executorKubernetesResources", ownerOf);
  });
}

function explainResource(object: KubernetesResource, list: string, ownerOf: OwnerOf): Explained {
  const name = `${list}[${object.kind}/${object.metadata.name}]`;
  return { object, owner: (path) => ownerOrAssembly(ownerOf, `${name}${pathText(object, path)}`) };
}

/** The container that runs Spark is the last one of the pod; while steps ran it was separate. */
function explainPod(object: Pod | KubernetesResource, role: "driver" | "executor", ownerOf: OwnerOf): Explained {
  const containers = (object as Pod).spec?.containers ?? [];
  return {
    object,
    owner: (path) => {
      const [spec, list, index, ...rest] = path;
      const isSpark = spec === "spec" && list === "containers" && index === containers.length - 1;
      const text = isSpark
        ? `${role}Container${pathText(containers.at(-1), rest)}`
        : `${role}Pod${pathText(object, path)}`;
      return ownerOrAssembly(ownerOf, text);
    },
  };
}

function ownerOrAssembly(ownerOf: OwnerOf, path: string): string {
  // A field that no step set was added at the end.
  return ownerOf(path) ?? ASSEMBLY;
}

/** A path in the form of the provenance: items of lists by name. */
function pathText(root: unknown, path: readonly (string | number)[]): string {
  let text = "";
  let value: unknown = root;
  for (const step of path) {
    value = child(value, step);
    if (typeof step === "number") text += `[${nameOf(value) ?? step}]`;
    else text += /^[A-Za-z_][\w-]*$/.test(step) ? `.${step}` : `[${step}]`;
  }
  return text;
}

function child(value: unknown, step: string | number): unknown {
  return typeof value === "object" && value !== null
    ? (value as Readonly<Record<string | number, unknown>>)[step]
    : undefined;
}

function nameOf(value: unknown): string | undefined {
  const [mountPath, name, key] = ["mountPath", "name", "key"].map((field) => child(value, field));
  return [mountPath, name, key].find((candidate): candidate is string => typeof candidate === "string");
}

function annotated({ object, owner }: Explained): string {
  const document = yamlDocument(object);
  comment(document.contents, [], owner);
  return documentText(document);
}

/** Puts the step's name after each value; for a text of several lines, before it. */
function comment(node: unknown, path: readonly (string | number)[], owner: Explained["owner"]): void {
  if (isMap(node)) {
    for (const { key, value } of node.items) comment(value, [...path, String(isScalar(key) ? key.value : key)], owner);
  } else if (isSeq(node)) {
    node.items.forEach((item, index) => comment(item, [...path, index], owner));
  } else if (isScalar(node)) {
    const isLong = typeof node.value === "string" && node.value.includes("\n");
    if (isLong) (node as Node).commentBefore = ` ${owner(path)}`;
    else node.comment = ` ${owner(path)}`;
  }
}

function asJson({ object, owner }: Explained): { object: unknown; steps: Record<string, string> } {
  const steps: Record<string, string> = {};
  const walk = (value: unknown, path: readonly (string | number)[]): void => {
    if (Array.isArray(value)) value.forEach((item, index) => walk(item, [...path, index]));
    else if (typeof value === "object" && value !== null)
      for (const [key, member] of Object.entries(value)) walk(member, [...path, key]);
    else steps[pathText(object, path).replace(/^\./, "")] = owner(path);
  };
  walk(object, []);
  return { object, steps };
}
