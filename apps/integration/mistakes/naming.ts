import { type KubeObjectLike, resources } from "@kindling/kube";
import { kindling } from "../clusters/kindling.ts";
import { RESTRICTED_CONTAINER, RESTRICTED_POD } from "../clusters/restricted.ts";
import { conf, PI, submitting, type Bench, type Mistakes } from "./bench.ts";

const ABSENT = conf({ "spark.kubernetes.node.selector.no-such": "node" });
const NO_WAIT = conf({ "spark.kubernetes.submission.waitAppCompletion": "false" });

/** Names that do not exist, or are not unique. */
export const NAMING: Mistakes = {
  "a namespace that is not there": (bench) => ({ args: submitting(bench, "-n", "no-such-namespace", ...PI) }),
  "an application that is not there": ({ namespace }) => ({ args: ["logs", "-n", namespace.name, "nothing"] }),
  "a name that two applications have": async (bench) => {
    for (const id of ["twin-1", "twin-2"]) await submitted(bench, "--name", "twin", "--submission-id", id);
    return { args: ["kill", "-n", bench.namespace.name, "twin"] };
  },
  "a pod that is no driver": async ({ namespace }) => {
    await namespace.client.create(resources.pods, {
      ...{ apiVersion: "v1", kind: "Pod", metadata: { name: "web-0" } },
      spec: {
        containers: [{ name: "web", image: "localhost/none", securityContext: RESTRICTED_CONTAINER }],
        securityContext: RESTRICTED_POD,
        nodeSelector: { "no-such": "node" },
      },
    } as KubeObjectLike);
    return { args: ["status", "-n", namespace.name, "web-0"] };
  },
  "a submission id that is taken by another": async (bench) => {
    await submitted(bench, "--submission-id", "nightly", "--executor-memory", "512m");
    return {
      args: submitting(bench, ...NO_WAIT, ...ABSENT, "--submission-id", "nightly", "--executor-memory", "600m", ...PI),
    };
  },
  "an empty namespace": () => ({ args: ["list", "-n", "kube-node-lease"] }),
};

/** An application that never finds a node. */
async function submitted(bench: Bench, ...args: readonly string[]): Promise<void> {
  const { exit, err } = await kindling(submitting(bench, ...NO_WAIT, ...ABSENT, ...args, ...PI));
  if (exit !== 0) throw new Error(err);
}
