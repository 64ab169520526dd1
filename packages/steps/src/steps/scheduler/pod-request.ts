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

/**
 * What the scheduler of Kubernetes sets aside for a pod, by resource: what its containers request together, or what one
 * init container requests if that is more. Init containers that are sidecars count from their start to the end ("Sidecar
 * Containers", resource sharing within containers).
 *
 * @param origin where the containers are from, for errors: a template's are taken as they are
 * @throws KindlingError `TEMPLATE_INVALID` for what is no quantity
 */
export function podRequest({ containers = [], initContainers = [] }: PodSpec, origin: string): Record<string, string> {
  const requestOf = (container: Container): Request => containerRequest(container, origin);
  let sidecars: Request = new Map();
  let most: Request = new Map();
  for (const container of initContainers) {
    const together = sum(sidecars, requestOf(container));
    if (isSidecar(container)) sidecars = together;
    most = greater(most, together);
  }
  const running = containers.map(requestOf).reduce(sum, sidecars);
  const all = [...greater(most, running)].sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(all.map(([resource, quantity]) => [resource, formatQuantity(quantity)]));
}

function isSidecar(container: Container): boolean {
  // Newer than the types that are at hand.
  return "restartPolicy" in container && container.restartPolicy === "Always";
}

/** A limit without a request is one (Kubernetes, "Resource Management for Pods and Containers"). */
function containerRequest({ name, resources }: Container, origin: string): Request {
  return new Map(
    // YAML has numbers, too.
    Object.entries<unknown>({ ...resources?.limits, ...resources?.requests }).map(([resource, amount]) => {
      const text = String(amount);
      const quantity = parseQuantity(text);
      if (quantity !== undefined) return [resource, quantity] as const;
      throw new KindlingError(
        "TEMPLATE_INVALID",
        `${origin}: container ${name} asks for ${JSON.stringify(text)} of ${resource}, which is no quantity`,
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
