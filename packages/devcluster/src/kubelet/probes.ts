import type { Probe } from "../objects/pod.ts";
import type { RunningContainer } from "../runtime/runtime.ts";
import type { ContainerRecord } from "./container-record.ts";
import type { ContainerHost } from "./container-run.ts";

type ProbeKind = "startup" | "readiness" | "liveness";
const TITLES: Readonly<Record<ProbeKind, string>> = {
  startup: "Startup",
  readiness: "Readiness",
  liveness: "Liveness",
};

/** Probes a container as its spec says, for as long as it runs. Returns the way to stop. */
export function watchProbes(host: ContainerHost, record: ContainerRecord, running: RunningContainer): () => void {
  const { readinessProbe, livenessProbe, startupProbe } = record.container;
  const stops: (() => void)[] = [];
  const over = (): boolean => record.running !== running || host.stopper.stopped;
  const kill = (kind: ProbeKind): void => {
    host.event("Normal", "Killing", `Container ${record.container.name} failed ${kind} probe, will be restarted`);
    running.stop((host.pod().spec.terminationGracePeriodSeconds ?? 30) * 1000);
  };
  const begin = (): void => {
    if (readinessProbe !== undefined) {
      const change = (good: boolean): void => {
        record.ready = good;
        host.report();
      };
      stops.push(repeat(host, record, readinessProbe, "readiness", over, change));
    }
    if (livenessProbe !== undefined) {
      stops.push(repeat(host, record, livenessProbe, "liveness", over, (good) => void (good || kill("liveness"))));
    }
  };
  if (startupProbe === undefined) {
    begin();
  } else {
    let begun = false;
    const change = (good: boolean): void => {
      if (!good) kill("startup");
      else if (!begun) {
        begun = true;
        begin();
      }
    };
    stops.push(repeat(host, record, startupProbe, "startup", over, change));
  }
  return () => {
    for (const stop of stops) stop();
  };
}

/** Probes periodically and tells when enough results in a row have changed the verdict. */
function repeat(
  host: ContainerHost,
  record: ContainerRecord,
  probe: Probe,
  kind: ProbeKind,
  over: () => boolean,
  onChange: (good: boolean) => void,
): () => void {
  const period = (probe.periodSeconds ?? 10) * 1000;
  let inRow = 0;
  let last: boolean | undefined;
  let verdict: boolean | undefined;
  let cancel = (): void => undefined;
  const next = (delay: number): void => {
    cancel = host.clock.after(delay, () => void check());
  };
  const check = async (): Promise<void> => {
    if (over()) return;
    const good = (await host.sandbox.probe?.(record.container.name, probe)) ?? true;
    if (over()) return;
    if (!good) host.event("Warning", "Unhealthy", `${TITLES[kind]} probe failed`);
    inRow = good === last ? inRow + 1 : 1;
    last = good;
    const needed = good ? (probe.successThreshold ?? 1) : (probe.failureThreshold ?? 3);
    if (inRow >= needed && verdict !== good) {
      verdict = good;
      onChange(good);
    }
    next(period);
  };
  next((probe.initialDelaySeconds ?? 0) * 1000);
  return () => cancel();
}
