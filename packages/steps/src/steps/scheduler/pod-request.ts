import {
  addQuantities,
  compareQuantities,
  formatQuantity,
  KindlingError,
  parseQuantity,
  type Container,
  type PodSpec,
  type Quantity,
} from "@kindling/core-spec";

type Request = ReadonlyMap<string, Quantity>;

/** A pod may also have a request as a whole (KEP-2837), which the types in use do not contain. */
type Spec = PodSpec & { readonly resources?: Container["resources"] };

/**
 * What the Kubernetes scheduler reserves for a pod, by resource: the sum of its containers' requests, or the request of one
 * init container if that is more. Init containers that are sidecars count from their start to the end ("Sidecar Containers",
 * resource sharing within containers). A request of the pod as a whole replaces this if it is larger: the API server refuses
 * a smaller one.
 *
 * @param origin where the containers are from, for errors: those of a template are not checked before
 * @throws KindlingError `TEMPLATE_INVALID` for an invalid quantity
 */
export function podRequest(spec: Spec, origin: string): Record<string, string> {
  const { containers = [], initContainers = [], overhead } = spec;
  const requestOf = (container: Container): Request => containerRequest(container, origin);
  let sidecars: Request = new Map();
  let most: Request = new Map();
  for (const container of initContainers) {
    const together = sum(sidecars, requestOf(container));
    if (isSidecar(container)) sidecars = together;
    most = greater(most, together);
  }
  const together = greater(most, containers.map(requestOf).reduce(sum, sidecars));
  const whole = greater(together, wholeRequest(spec, together, origin));
  const all = [...sum(whole, readAmounts(overhead, "the pod's overhead", origin))];
  const sorted = all.sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(sorted.map(([resource, quantity]) => [resource, formatQuantity(quantity)]));
}

/**
 * A limit without a request counts as a request only if no container requests the resource (defaults of pods, Kubernetes
 * 1.34).
 */
function wholeRequest({ resources }: Spec, containers: Request, origin: string): Request {
  const limits = readAmounts(resources?.limits, "the pod as a whole", origin);
  const missing = [...limits].filter(([resource]) => isHugePages(resource) || !containers.has(resource));
  const all = new Map([...missing, ...readAmounts(resources?.requests, "the pod as a whole", origin)]);
  return new Map([...all].filter(([resource]) => ["cpu", "memory"].includes(resource) || isHugePages(resource)));
}

function isHugePages(resource: string): boolean {
  return resource.startsWith("hugepages-");
}

function isSidecar(container: Container): boolean {
  // This is newer than the types in use.
  return "restartPolicy" in container && container.restartPolicy === "Always";
}

/** A limit without a request is also the request (Kubernetes, "Resource Management for Pods and Containers"). */
function containerRequest({ name, resources }: Container, origin: string): Request {
  return readAmounts({ ...resources?.limits, ...resources?.requests }, `container ${name}`, origin);
}

function readAmounts(amounts: object | undefined, asking: string, origin: string): Request {
  return new Map(
    // YAML may contain numbers, too.
    Object.entries<unknown>({ ...amounts }).map(([resource, amount]) => {
      const text = String(amount);
      const quantity = parseQuantity(text);
      if (quantity !== undefined) return [resource, quantity] as const;
      throw new KindlingError(
        "TEMPLATE_INVALID",
        `${origin}: ${asking} asks for ${JSON.stringify(text)} of ${resource}, which is no quantity`,
      );
    }),
  );
}

function sum(one: Request, other: Request): Request {
  return merged(one, other, addQuantities);
}

function greater(one: Request, other: Request): Request {
  return merged(one, other, (a, b) => (compareQuantities(a, b) < 0 ? b : a));
}

function merged(one: Request, other: Request, join: (a: Quantity, b: Quantity) => Quantity): Request {
  const result = new Map(one);
  for (const [resource, quantity] of other) {
    const known = result.get(resource);
    result.set(resource, known === undefined ? quantity : join(known, quantity));
  }
  return result;
}
