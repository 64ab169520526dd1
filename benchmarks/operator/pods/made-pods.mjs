// Pods of an application as Kindling makes them, with nothing of this machine in them.
import { ManualClock } from "@kindling/outside";
import { gather, plan, planExecutor } from "@kindling/submit";

/** Time stands still and every draw is the same: two plans differ by nothing but what is asked for. */
const OUTSIDE = {
  clock: new ManualClock(),
  random: {
    uuid: () => "00000000-0000-4000-8000-000000000000",
    bytes: (count) => new Uint8Array(count),
    fraction: () => 0,
  },
  env: {},
  cwd: "/",
};

/** @returns {Promise<object>} the driver pod that the submission would create */
export async function driverPod(request) {
  const { input, steps } = await gathered(request);
  return plan(input, steps).objects.pod;
}

/** @returns {Promise<object>} the pod of the first executor, as a stock driver asks for it */
export async function executorPod(request) {
  const { input, steps } = await gathered(request);
  return planExecutor(input, steps).objects.find(({ kind }) => kind === "Pod");
}

/** @returns {Promise<object>} the same pod as a gateway makes it, which runs the executor halves of steps last */
export function gatewayExecutorPod(request) {
  const conf = {
    ...request.conf,
    "spark.kindling.scheduler": "gateway",
    "spark.kindling.scheduler.uri": "https://gateway.kindling.svc:8443",
  };
  return executorPod({ ...request, conf });
}

function gathered(request) {
  return gather(request, OUTSIDE, "nothing", { connection: { kind: "none" } });
}
