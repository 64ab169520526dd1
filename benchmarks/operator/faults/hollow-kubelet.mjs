import { isConflict, isNotFound, resources, startReflector } from "@kindling/kube";
import { annotationScript, DEFAULT_SCRIPT } from "./source.mjs";

/**
 * Tells of pods that no node takes what a kubelet would tell of them: that they run, and how they ended. Their annotations
 * say what comes of them, as on an embedded cluster.
 *
 * @param {object} client
 * @param {object} options
 * @param {object} options.clock
 * @param {string} options.schedulerName of the pods; nobody else may serve it
 * @returns {Promise<{end: (pod: {namespace: string, name: string}, exitCode: number) => void, stop: () => Promise<void>}>}
 */
export async function startHollowKubelet(client, { clock, schedulerName }) {
  const pods = new Map();

  function take(pod) {
    const { uid } = pod.metadata;
    if (pods.has(uid)) return;
    const [container] = pod.spec.containers;
    const { startMilliseconds, runMilliseconds, exitCode } = {
      ...DEFAULT_SCRIPT,
      ...annotationScript(pod, container, 0),
    };
    const hollow = { pod, container, startedAt: undefined, cancels: [] };
    pods.set(uid, hollow);
    const after = (milliseconds, then) => hollow.cancels.push(clock.after(milliseconds, () => void then()));
    after(startMilliseconds, async () => {
      await run(hollow);
      if (runMilliseconds !== undefined && pods.has(uid)) after(runMilliseconds, () => end(hollow, exitCode));
    });
  }

  function leave({ metadata: { uid } }) {
    for (const cancel of pods.get(uid)?.cancels ?? []) cancel();
    pods.delete(uid);
  }

  async function run(hollow) {
    hollow.startedAt = now();
    await tell(hollow, "Running", true, { running: { startedAt: hollow.startedAt } });
  }

  async function end(hollow, exitCode) {
    const { startedAt = now() } = hollow;
    const reason = exitCode === 0 ? "Completed" : "Error";
    const terminated = { exitCode, reason, startedAt, finishedAt: now() };
    await tell(hollow, exitCode === 0 ? "Succeeded" : "Failed", false, { terminated });
  }

  async function tell({ pod, container: { name, image } }, phase, ready, state) {
    const { namespace, uid } = pod.metadata;
    const status = { phase, containerStatuses: [{ name, image, imageID: "", restartCount: 0, ready, state }] };
    const options = { namespace, subresource: "status" };
    try {
      // The uid keeps it off a later pod of the same name.
      await client.patch(resources.pods, pod.metadata.name, "merge", { metadata: { uid }, status }, options);
    } catch (error) {
      // It has been removed, maybe with its namespace.
      if (!isNotFound(error) && !isConflict(error)) throw error;
    }
  }

  function now() {
    return new Date(clock.now()).toISOString().replace(/\.\d+/, "");
  }

  const reflector = startReflector(client, resources.pods, {
    allNamespaces: true,
    fieldSelector: `spec.schedulerName=${schedulerName}`,
    sink: {
      replace: (found) => found.forEach(take),
      apply(event) {
        if (event.type === "DELETED") leave(event.object);
        else if (event.type !== "BOOKMARK") take(event.object);
      },
    },
  });
  await reflector.synced;
  return {
    end({ namespace, name }, exitCode) {
      for (const hollow of pods.values()) {
        const { metadata } = hollow.pod;
        if (metadata.namespace === namespace && metadata.name === name) void end(hollow, exitCode);
      }
    },
    async stop() {
      await reflector.stop();
      for (const { pod } of [...pods.values()]) leave(pod);
    },
  };
}
