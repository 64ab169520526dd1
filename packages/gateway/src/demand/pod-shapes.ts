import { isObject, type JsonObject, type KubeObject } from "@kindling/api-server";
import { podShape, type PodShape, type Resources } from "@kindling/scheduler";
import type { Container, NodeSelectorRequirement, NodeSelectorTerm, PodSpec } from "kubernetes-types/core/v1.js";
import { objectAt, objectsAt, textAt, textsAt } from "../json/fields.ts";

/** Above that they are forgotten: drivers may ask for pods of any shape. */
const MOST_SHAPES = 10_000;

/** Reads what pods ask for, once for each spec; executors that ask for the same have one object for it. */
export class PodShapes {
  readonly #bySpec = new WeakMap<object, PodShape>();
  readonly #byText = new Map<string, PodShape>();

  of(pod: KubeObject): PodShape {
    const spec = pod["spec"];
    if (!isObject(spec)) return this.#shared({});
    const known = this.#bySpec.get(spec);
    if (known !== undefined) return known;
    const shape = this.#shared(spec);
    this.#bySpec.set(spec, shape);
    return shape;
  }

  #shared(spec: JsonObject): PodShape {
    const { requests, limits, placement } = podShape(readSpec(spec));
    const shape = { requests: harmless(requests), limits: harmless(limits), placement };
    const text = JSON.stringify(shape);
    const known = this.#byText.get(text);
    if (known !== undefined) return known;
    if (this.#byText.size >= MOST_SHAPES) this.#byText.clear();
    this.#byText.set(text, shape);
    return shape;
  }
}

/** What drivers ask for may have any shape: of a spec only what has the right one counts, and the API server refuses the rest. */
function readSpec(spec: JsonObject): PodSpec {
  const affinity = objectAt(spec, "affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution");
  const terms = objectsAt(affinity, "nodeSelectorTerms").map(readTerm);
  return {
    containers: objectsAt(spec, "containers").map(readContainer),
    initContainers: objectsAt(spec, "initContainers").map(readContainer),
    overhead: textsOf(objectAt(spec, "overhead")),
    nodeSelector: textsOf(objectAt(spec, "nodeSelector")),
    tolerations: objectsAt(spec, "tolerations").map((toleration) => textsOf(toleration)),
    ...(terms.length > 0 && {
      affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } } },
    }),
  };
}

function readContainer(container: JsonObject): Container {
  const restartPolicy = textAt(container, "restartPolicy");
  return {
    name: "",
    ...(restartPolicy !== undefined && { restartPolicy }),
    resources: {
      requests: textsOf(objectAt(container, "resources", "requests")),
      limits: textsOf(objectAt(container, "resources", "limits")),
    },
  };
}

function readTerm(term: JsonObject): NodeSelectorTerm {
  return {
    matchExpressions: objectsAt(term, "matchExpressions").map(readRequirement),
    matchFields: objectsAt(term, "matchFields").map(readRequirement),
  };
}

function readRequirement(requirement: JsonObject): NodeSelectorRequirement {
  return {
    key: textAt(requirement, "key") ?? "",
    operator: textAt(requirement, "operator") ?? "",
    values: textsAt(requirement, "values"),
  };
}

/** The members that are texts, or numbers: quantities may be written so. */
function textsOf(object: JsonObject): Record<string, string> {
  return Object.fromEntries(
    Object.entries(object).flatMap(([name, value]) =>
      typeof value === "string" || typeof value === "number" ? [[name, String(value)]] : [],
    ),
  );
}

/** Without what no pod can ask for: less than nothing, and names that every object in JavaScript has. */
function harmless(amounts: Resources): Resources {
  return Object.fromEntries(Object.entries(amounts).filter(([name, amount]) => amount > 0 && !(name in {})));
}
