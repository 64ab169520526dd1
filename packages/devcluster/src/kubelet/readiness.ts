import type { Probe } from "../objects/pod.ts";
import type { RunningContainer } from "../runtime/runtime.ts";
import type { ContainerHost } from "./container-host.ts";
import type { ContainerRecord } from "./container-record.ts";

/**
 * Tracks whether a container is ready: by its readiness probe if the runtime can probe, else by the container's own signal.
 * Returns a function that stops this. Liveness and startup are not probed: a container that is only slow is not killed.
 */
export function watchReadiness(host: ContainerHost, record: ContainerRecord, running: RunningContainer): () => void {
  const { readinessProbe } = record.container;
  if (host.sandbox.probe !== undefined && readinessProbe !== undefined) {
    return repeat(host, record, running, readinessProbe);
  }
  void running.ready.then(() => {
    if (record.running !== running) return;
    record.ready = true;
    host.report();
  });
  return () => undefined;
}

/** Probes periodically; enough equal results in a row change the state. */
function repeat(host: ContainerHost, record: ContainerRecord, running: RunningContainer, probe: Probe): () => void {
  const period = (probe.periodSeconds ?? 10) * 1000;
  const over = (): boolean => record.running !== running || host.stopper.stopped;
  let inRow = 0;
  let last: boolean | undefined;
  let cancel = (): void => undefined;
  const next = (delay: number): void => {
    cancel = host.clock.after(delay, () => void check());
  };
  const check = async (): Promise<void> => {
    if (over()) return;
    const good = (await host.sandbox.probe?.(record.container.name, probe)) ?? true;
    if (over()) return;
    if (!good) host.event("Warning", "Unhealthy", "Readiness probe failed");
    inRow = good === last ? inRow + 1 : 1;
    last = good;
    const needed = good ? (probe.successThreshold ?? 1) : (probe.failureThreshold ?? 3);
    if (inRow >= needed && record.ready !== good) {
      record.ready = good;
      host.report();
    }
    next(period);
  };
  next((probe.initialDelaySeconds ?? 0) * 1000);
  return () => cancel();
}
