// Pods of an application as Kindling makes them, independent of the local environment.
import type { KubernetesResource, Pod, SubmitRequest } from "@kindling/core-spec";
import { ManualClock } from "@kindling/outside";
import { gather, plan, planExecutor } from "@kindling/submit";

/** The clock stands still and every random draw is the same, so that two plans differ only in what was asked for. */
const OUTSIDE = {
  clock: new ManualClock(),
  random: {
    uuid: () => "00000000-0000-4000-8000-000000000000",
    bytes: (count: number) => new Uint8Array(count),
    fraction: () => 0,
  },
  env: {},
  cwd: "/",
};

/** The driver pod that the submission would create. */
export async function driverPod(request: SubmitRequest): Promise<Pod> {
  const { input, steps } = await gathered(request);
  return plan(input, steps).objects.pod;
}

/** The pod of the first executor, as a stock driver requests it. */
export async function executorPod(request: SubmitRequest): Promise<Pod> {
  const { input, steps } = await gathered(request);
  const pod = planExecutor(input, steps).objects.find(isPod);
  if (pod === undefined) throw new Error("no executor was planned");
  return pod;
}

/** The same pod as a gateway makes it. The gateway runs the executor halves of steps last. */
export function gatewayExecutorPod(request: SubmitRequest): Promise<Pod> {
  const conf = {
    ...request.conf,
    "spark.kindling.scheduler": "gateway",
    "spark.kindling.scheduler.uri": "https://gateway.kindling.svc:8443",
  };
  return executorPod({ ...request, conf });
}

function isPod(object: Pod | KubernetesResource): object is Pod {
  return object.kind === "Pod";
}

function gathered(request: SubmitRequest) {
  return gather(request, OUTSIDE, "nothing", { connection: { kind: "none" } });
}
