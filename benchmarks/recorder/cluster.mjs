// @ts-check
// An embedded cluster as a separate process. Its pods run nothing: they say what the benchmark wants, and end when it wants.
import { writeFileSync } from "node:fs";
import { DevCluster, HollowRuntime } from "@kindling/devcluster";
import { systemClock, systemRandom } from "@kindling/outside";
import { serve } from "../harness/calls.mjs";

/** @typedef {import("@kindling/devcluster").ContainerExit} ContainerExit */
/** @typedef {Parameters<HollowRuntime["startContainer"]>} Start */
/** @typedef {{ readonly role: string | undefined, readonly log: Start[2], readonly end: (exit: ContainerExit) => void }} Speaker */

const CODES = /** @type {const} */ ({ exitCode: 0, reason: "Completed" });

/** Hollow pods that speak and end together. */
class SpeakingRuntime extends HollowRuntime {
  /** @type {Set<Speaker>} */
  speakers = new Set();

  /**
   * @override
   * @param {Start} start
   * @returns {ReturnType<HollowRuntime["startContainer"]>}
   */
  async startContainer(...[pod, request, log]) {
    const running = await super.startContainer(pod, request, log);
    /** @type {(exit: ContainerExit) => void} */
    let end = () => {};
    /** @type {Promise<ContainerExit>} */
    const told = new Promise((resolve) => (end = resolve));
    this.speakers.add({ role: pod.metadata.labels?.["spark-role"], log, end });
    return { ...running, exited: Promise.race([running.exited, told]) };
  }
}

const [kubeconfig = "", tls = ""] = process.argv.slice(2);
const runtime = new SpeakingRuntime({
  clock: systemClock,
  random: systemRandom(),
  capacity: { pods: "50000", cpu: "100000", memory: "400000Gi" },
});
const cluster = await DevCluster.start({ runtime, tls: tls === "tls", authorization: "rbac", clock: systemClock });
writeFileSync(kubeconfig, cluster.kubeconfig());

const functions = {
  ready: () => cluster.url,
  /** How many pods run. */
  running: () => runtime.speakers.size,
  /**
   * Every so many pods writes a line.
   *
   * @param {string} line
   * @param {number} each
   * @param {number} from which of them is the first
   */
  say(line, each, from) {
    let index = 0;
    for (const { log } of runtime.speakers) if (index++ % each === from) log.write(systemClock.now(), line);
  },
  /**
   * Ends all pods of these roles.
   *
   * @param {...string} roles `driver`, `executor`
   */
  end(...roles) {
    for (const speaker of runtime.speakers) {
      const { role, log, end } = speaker;
      if (role === undefined || !roles.includes(role)) continue;
      log.close();
      end({ ...CODES, finishedAt: systemClock.now() });
      runtime.speakers.delete(speaker);
    }
  },
};
/** @typedef {typeof functions} SpeakingCluster */
serve(functions);
process.on("SIGTERM", () => void cluster.stop().then(() => process.exit(0)));
