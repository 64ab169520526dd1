import type { Pod } from "../objects/pod.ts";
import type { Variable } from "../objects/variable.ts";
import { ContainerStartError, type ContainerExit, type RunningContainer } from "../runtime/runtime.ts";
import type { ContainerHost } from "./container-host.ts";
import type { ContainerRecord } from "./container-record.ts";
import { MissingSourceError, resolveEnvironment } from "./environment.ts";
import { watchReadiness } from "./readiness.ts";
import { Backoff } from "./stopper.ts";

const RETRY = 1000;
const CRASH_BACKOFF = { first: 10_000, last: 300_000 };
/** A container that ran for this long has recovered. */
const RECOVERED = 600_000;

/**
 * Runs a container again and again, as its restart policy says, until its final end. Returns true if it succeeded.
 *
 * @throws Stopped when the pod's life is over.
 */
export async function runContainer(host: ContainerHost, record: ContainerRecord): Promise<boolean> {
  const backoff = new Backoff(CRASH_BACKOFF.first, CRASH_BACKOFF.last);
  for (;;) {
    host.stopper.check();
    const exit = await runOnce(host, record);
    record.end(exit);
    host.report();
    host.stopper.check();
    if (!restarts(host.pod(), record, exit)) return exit.exitCode === 0;
    const last = record.state.terminated;
    if (last?.startedAt !== null && exit.finishedAt - Date.parse(last?.startedAt ?? "") > RECOVERED) backoff.reset();
    const delay = backoff.next(true);
    if (delay > 0) await backOff(host, record, delay);
    record.again();
  }
}

function restarts({ spec }: Pod, { kind }: ContainerRecord, { exitCode }: ContainerExit): boolean {
  if (kind === "sidecar") return true;
  const failed = exitCode !== 0;
  if (kind === "init") return failed && spec.restartPolicy !== "Never";
  return spec.restartPolicy === "Always" || (spec.restartPolicy === "OnFailure" && failed);
}

async function backOff(host: ContainerHost, record: ContainerRecord, delay: number): Promise<void> {
  const { name, namespace = "", uid } = host.pod().metadata;
  const what = `container=${record.container.name} pod=${name}_${namespace}(${uid})`;
  if (record.state.terminated !== undefined) record.lastState = { terminated: record.state.terminated };
  record.wait("CrashLoopBackOff", `back-off ${delay / 1000}s restarting failed ${what}`);
  host.event(
    "Warning",
    "BackOff",
    `Back-off restarting failed container ${record.container.name} in pod ${name}_${namespace}(${uid})`,
  );
  host.report();
  await host.stopper.sleep(delay);
}

async function runOnce(host: ContainerHost, record: ContainerRecord): Promise<ContainerExit> {
  const running = await start(host, record);
  if ("exitCode" in running) return running;
  if (host.stopper.stopped) {
    running.stop(0);
    return await running.exited;
  }
  const { name } = record.container;
  record.run(running);
  host.event("Normal", "Created", `Created container: ${name}`);
  host.event("Normal", "Started", `Started container ${name}`);
  host.onStarted();
  host.report();
  const stopWatching = watchReadiness(host, record, running);
  const exit = await running.exited;
  stopWatching();
  return exit;
}

/** Starts a container; if it cannot be started, this counts as an end. */
async function start(host: ContainerHost, record: ContainerRecord): Promise<RunningContainer | ContainerExit> {
  const { container } = record;
  const image = await host.pull();
  record.image = image.name;
  record.imageId = image.imageId;
  const environment = await resolved(host, record);
  try {
    return await host.sandbox.start({ container, image, attempt: record.restartCount, environment });
  } catch (error) {
    if (!(error instanceof ContainerStartError)) throw error;
    host.event("Warning", "Failed", `Error: ${error.message}`);
    return { exitCode: error.exitCode, reason: error.reason, message: error.message, finishedAt: host.clock.now() };
  }
}

async function resolved(host: ContainerHost, record: ContainerRecord): Promise<Variable[]> {
  for (;;) {
    try {
      const node = { allocatable: host.nodeAllocatable() };
      return resolveEnvironment(host.pod(), record.container, host.sources, node, host.serviceVariables());
    } catch (error) {
      if (!(error instanceof MissingSourceError)) throw error;
      record.wait("CreateContainerConfigError", error.message);
      host.event("Warning", "Failed", `Error: ${error.message}`);
      host.report();
      await host.stopper.sleep(RETRY);
    }
  }
}
