// @ts-check
import { resources } from "@kindling/kube";

/** A controller of Kubernetes takes a node for lost that has been silent for 40 s. */
const BEAT_MS = 10_000;

/**
 * Runs something beside a large node that reports its health and does nothing else.
 *
 * @template T
 * @param {import("@kindling/kube").KubeClient} client
 * @param {string} name
 * @param {() => Promise<T>} run
 */
export async function withHeartbeats(client, name, run) {
  const amounts = { cpu: "100000", memory: "1000Ti", pods: "100000" };
  // No pod may come here by itself.
  const taints = [{ key: "kindling-benchmark", effect: "NoSchedule" }];
  const node = { metadata: { name }, spec: { taints } };
  await client.create(resources.nodes, node);
  const beat = async () => {
    const now = new Date().toISOString().replace(/\.\d+Z$/, "Z");
    const ready = { type: "Ready", status: "True", reason: "Hollow", lastHeartbeatTime: now };
    const status = { capacity: amounts, allocatable: amounts, conditions: [ready] };
    await client.patch(resources.nodes, name, "strategic", { status }, { subresource: "status" });
  };
  await beat();
  // If the server is too busy for one beat, the next one follows.
  const beats = setInterval(() => void beat().catch(() => undefined), BEAT_MS);
  try {
    return await run();
  } finally {
    clearInterval(beats);
    await client.delete(resources.nodes, name, {});
  }
}
