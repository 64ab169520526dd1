import { ANYWHERE, type ApplicationDemand, type PodShape, type Queue } from "@kindling/admission";
import { expect, test } from "vitest";
import { overviewOf } from "../../../src/console/overview/overview-of.ts";

const CPU: PodShape = { requests: { cpu: 1000, pods: 1 }, limits: {}, placement: ANYWHERE };

function queue(name: string, more: Partial<Queue> = {}): Queue {
  return { name, weight: 1, guarantee: {}, ceiling: {}, children: [], ...more };
}

const RUNNING: ApplicationDemand = {
  id: "uid-a",
  namespace: "jobs",
  queue: "etl.daily",
  priority: 3,
  since: 20,
  driver: { pod: CPU, state: "started", promised: true, node: "n1" },
  minimum: { count: 2, pod: CPU, reached: true },
  waiting: [{ id: "4", pod: CPU }],
  present: [
    { id: "1", pod: CPU, state: "running", node: "n1", began: 30, leave: "graceful" },
    { id: "2", pod: CPU, state: "running", node: "n1", began: 30, leave: "graceful" },
    { id: "3", pod: CPU, state: "leaving", node: "n1", began: 30, leave: "graceful" },
  ],
};
const GATED: ApplicationDemand = {
  ...RUNNING,
  id: "uid-b",
  queue: "adhoc",
  since: 10,
  driver: { pod: CPU, state: "gated", promised: false, node: undefined },
  waiting: [],
  present: [],
};

test("an overview counts what each queue and application has, and says why they wait", () => {
  const overview = overviewOf({
    snapshot: {
      now: 100,
      capacity: { kind: "configured", total: { cpu: 8000 } },
      queues: queue("root", {
        children: [queue("etl", { weight: 2, children: [queue("daily")] }), queue("adhoc", { ceiling: { cpu: 4000 } })],
      }),
      quotas: [],
      applications: [RUNNING, GATED],
    },
    names: new Map([["uid-a", { id: "spark-a", name: "Report", driver: { pod: "report" }, isRunning: true }]]),
    waits: new Map([["uid-b", ["waiting for 4 CPUs in queue adhoc"]]]),
  });
  expect(overview).toMatchObject({
    at: 100,
    capacity: { kind: "configured", total: { cpu: 8000 }, used: { cpu: 4000, pods: 4 } },
    queues: [
      { path: "etl", parent: "", weight: 2, used: { cpu: 4000 }, share: 0.5, waitingExecutors: 1 },
      {
        path: "etl.daily",
        parent: "etl",
        used: { cpu: 4000 },
        applications: { SchedulingGated: 0, Pending: 0, Running: 1 },
      },
      { path: "adhoc", parent: "", ceiling: { cpu: 4000 }, used: {}, applications: { SchedulingGated: 1 } },
    ],
    applications: [
      { id: "", state: "SchedulingGated", used: {}, waits: ["waiting for 4 CPUs in queue adhoc"] },
      {
        id: "spark-a",
        name: "Report",
        state: "Running",
        executors: { waiting: 1, admitted: 0, pending: 0, running: 2, leaving: 1 },
        virtualExecutors: ["4"],
        used: { cpu: 4000, pods: 4 },
        waits: [],
      },
    ],
  });
});

test("of executors that are not in the cluster names are told, of the oldest applications first, up to a bound", () => {
  const admitted = {
    id: "a-exec-1",
    pod: CPU,
    state: "admitted",
    node: "n1",
    began: undefined,
    leave: "deletion",
  } as const;
  const waiting = Array.from({ length: 1_500 }, (_, index) => ({ id: `exec-${index + 2}`, pod: CPU }));
  const applications = Array.from({ length: 102 }, (_, index) => ({
    ...RUNNING,
    id: `uid-${index}`,
    since: 1_000 - index,
    waiting,
    present: [...RUNNING.present, admitted],
  }));
  const overview = overviewOf({
    snapshot: {
      now: 100,
      capacity: { kind: "configured", total: {} },
      queues: queue("root"),
      quotas: [],
      applications,
    },
    names: new Map(),
    waits: new Map(),
  });
  const [oldest] = overview.applications;
  expect(oldest).toMatchObject({ since: 899, executors: { waiting: 1_500, admitted: 1 } });
  expect(oldest?.virtualExecutors.slice(0, 2)).toEqual(["a-exec-1", "exec-2"]);
  expect(overview.applications.map(({ virtualExecutors }) => virtualExecutors.length)).toEqual([
    ...Array.from({ length: 100 }, () => 1_000),
    ...[0, 0],
  ]);
});
