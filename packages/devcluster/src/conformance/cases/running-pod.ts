import type { JsonObject } from "../../json.ts";
import { at, itemsOf, type CaseContext } from "../case-context.ts";

/** An image that does nothing and that the node has already; the embedded cluster needs none. */
async function idleImage({ client }: CaseContext): Promise<string> {
  const nodes = await client.get("/api/v1/nodes");
  for (const node of itemsOf(nodes)) {
    const images = (at(node, "status.images") ?? []) as { names?: string[] }[];
    const found = images.flatMap(({ names = [] }) => names).find((name) => /\/pause:/.test(name));
    if (found !== undefined) return found;
  }
  return "registry.k8s.io/pause:3.10";
}

/** Creates a pod that runs until it is ended; `container` in its spec has members of its only container. */
export async function start(t: CaseContext, name: string, spec: JsonObject = {}): Promise<void> {
  const image = await idleImage(t);
  await t.create(t.path("pods"), {
    metadata: { name, labels: { app: name } },
    spec: {
      terminationGracePeriodSeconds: 1,
      containers: [{ name: "main", image, imagePullPolicy: "IfNotPresent", ...((spec["container"] ?? {}) as object) }],
      ...spec,
      container: undefined,
    },
  });
}

/** Waits until a pod is in a phase, and gives it as it is then. */
export async function untilPhase(t: CaseContext, name: string, phase: string): Promise<JsonObject> {
  const { body } = await t.until(
    async () => await t.client.get(t.path("pods", name)),
    (answer) => at(answer.body, "status.phase") === phase,
    `the pod to be ${phase}`,
    60_000,
  );
  return body;
}
