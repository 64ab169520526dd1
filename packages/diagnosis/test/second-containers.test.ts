import { expect, test } from "vitest";
import { diagnose } from "../src/index.ts";
import { container, ended, evidence, NOW, pod } from "./fixtures/pods.ts";

const RUNNING = { running: { startedAt: "2026-01-01T00:06:00Z" } };

function causesWith(name: string): readonly string[] {
  const second = { ...container(RUNNING), name };
  const status = { phase: "Running", containerStatuses: [container(ended(0)), second] };
  return diagnose(evidence(pod({ node: "node-1", status })), NOW).findings.map(({ cause }) => cause);
}

test("a container that runs on keeps the pod of an ended application", () => {
  expect(causesWith("istio-proxy")).toEqual(["SidecarRunsOn"]);
});

test("the one that brings the event log away ends by itself, and is no problem", () => {
  expect(causesWith("kindling-event-log")).toEqual([]);
});

test("an executor whose Spark has ended is counted as kept while its pod serves its shuffle files", () => {
  const spark = { ...container(ended(0)), name: "spark-kubernetes-executor" };
  const server = { ...container(RUNNING), name: "kindling-shuffle-server" };
  const status = { phase: "Running", containerStatuses: [spark, server] };
  const labels = { "spark-role": "executor", "spark-exec-id": "1", "gateway.kindling/keeper": "true" };
  const kept = pod({ role: "executor", status, metadata: { labels } });
  const served = pod({ role: "executor", status: { ...status, phase: "Succeeded" }, metadata: { labels } });
  const driver = pod({ status: { phase: "Running", containerStatuses: [container(RUNNING)] } });

  const { executors } = diagnose(evidence(driver, { executors: [kept, served] }), NOW);

  expect(executors).toEqual({ running: 0, total: 0, keepers: 1 });
});
