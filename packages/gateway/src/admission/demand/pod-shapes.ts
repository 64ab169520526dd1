import { isObject, jsonEqual, type JsonObject, type KubeObject } from "@kindling/kube-objects";
import {
  type PodResourceStatus,
  podShape,
  type PodShape,
  type ResourcedPod,
  type Resources,
  type SeenResources,
} from "@kindling/admission";
import type {
  Container,
  NodeSelectorRequirement,
  NodeSelectorTerm,
  ResourceRequirements,
} from "kubernetes-types/core/v1.js";
import { objectAt, objectsAt, textAt, textsAt, textsOf } from "../../json/fields.ts";

/** Above this number they are forgotten: drivers may ask for pods of any shape. */
const MOST_SHAPES = 10_000;
/** The limit for all their texts together: a shape can be as large as the largest request of a driver. */
const MOST_CHARACTERS = 4 * 1024 * 1024;

/** A shape, and the status that it was read with. */
interface Read {
  readonly status: unknown;
  readonly shape: PodShape;
}

/**
 * Reads what pods ask for, and reads it again when their status changes it. Executors that ask for the same share one object.
 */
export class PodShapes {
  readonly #bySpec = new WeakMap<object, Read>();
  readonly #byText = new Map<string, PodShape>();
  #characters = 0;

  of(pod: KubeObject): PodShape {
    const { spec, status } = pod;
    if (!isObject(spec)) return this.#shared(pod);
    const known = this.#bySpec.get(spec);
    const isKnown = known !== undefined && saySameOfResources(known.status, status);
    const shape = isKnown ? known.shape : this.#shared(pod);
    if (isKnown && known.status === status) return shape;
    this.#bySpec.set(spec, { status, shape });
    return shape;
  }

  #shared(pod: KubeObject): PodShape {
    const { requests, limits, placement } = podShape(readPod(pod));
    const shape = { requests: harmless(requests), limits: harmless(limits), placement };
    const text = JSON.stringify(shape);
    const known = this.#byText.get(text);
    if (known !== undefined) return known;
    this.#characters += text.length;
    if (this.#byText.size >= MOST_SHAPES || this.#characters > MOST_CHARACTERS) {
      this.#byText.clear();
      this.#characters = text.length;
    }
    this.#byText.set(text, shape);
    return shape;
  }
}

/** Drivers may send anything. Only the valid parts of a pod count; the API server refuses the rest. */
function readPod(pod: KubeObject): ResourcedPod {
  return { spec: readSpec(objectAt(pod, "spec")), status: readStatus(objectAt(pod, "status")) };
}

function readSpec(spec: JsonObject): ResourcedPod["spec"] {
  const affinity = objectAt(spec, "affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution");
  const terms = objectsAt(affinity, "nodeSelectorTerms").map(readTerm);
  return {
    containers: objectsAt(spec, "containers").map(readContainer),
    initContainers: objectsAt(spec, "initContainers").map(readContainer),
    resources: readResources(spec),
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
    name: textAt(container, "name") ?? "",
    ...(restartPolicy !== undefined && { restartPolicy }),
    resources: readResources(container),
  };
}

function readResources(owner: JsonObject): ResourceRequirements {
  return {
    requests: textsOf(objectAt(owner, "resources", "requests")),
    limits: textsOf(objectAt(owner, "resources", "limits")),
  };
}

function readStatus(status: JsonObject): PodResourceStatus {
  return {
    ...readSeen(status),
    conditions: objectsAt(status, "conditions").map((condition) => ({
      type: textAt(condition, "type") ?? "",
      reason: textAt(condition, "reason") ?? "",
    })),
    containerStatuses: objectsAt(status, "containerStatuses").map(readContainerStatus),
    initContainerStatuses: objectsAt(status, "initContainerStatuses").map(readContainerStatus),
  };
}

/** Most changes of a status are about other things, and reading all of it takes long. */
function saySameOfResources(one: unknown, other: unknown): boolean {
  return one === other || jsonEqual(resourcesIn(one), resourcesIn(other));
}

/** The parts of the status that `readStatus` uses, as they are there. */
function resourcesIn(status: unknown): JsonObject {
  const { resources, allocatedResources, containerStatuses, initContainerStatuses, conditions } = objectAt(status);
  return {
    ...{ resources, allocatedResources },
    conditions: objectsAt(conditions).map(({ type, reason }) => ({ type, reason })),

    containers: objectsAt(containerStatuses).map(seenIn),
    initContainers: objectsAt(initContainerStatuses).map(seenIn),
  };
}

function seenIn({ name, resources, allocatedResources }: JsonObject): JsonObject {
  return { name, resources, allocatedResources };
}

function readContainerStatus(status: JsonObject): SeenResources & { readonly name: string } {
  return { name: textAt(status, "name") ?? "", ...readSeen(status) };
}

/** A missing member and an empty one have different meanings. */
function readSeen(status: JsonObject): SeenResources {
  const { allocatedResources, resources } = status;
  return {
    ...(isObject(allocatedResources) && { allocatedResources: textsOf(allocatedResources) }),
    ...(isObject(resources) && {
      resources: Object.fromEntries(
        ["requests", "limits"].flatMap((name) => {
          const amounts = resources[name];
          return isObject(amounts) ? [[name, textsOf(amounts)]] : [];
        }),
      ),
    }),
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

/** Leaves out amounts that no pod can ask for: negative ones, and names that every JavaScript object has. */
function harmless(amounts: Resources): Resources {
  return Object.fromEntries(Object.entries(amounts).filter(([name, amount]) => amount > 0 && !(name in {})));
}
