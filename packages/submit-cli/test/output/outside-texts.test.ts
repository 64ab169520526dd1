import type { Pod } from "kubernetes-types/core/v1.js";
import { beforeEach, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { BIN, kindling, kubeconfigFor, start, type Finished } from "../fixtures/kindling-process.ts";
import { StubCluster } from "@kindling/test-kit/stub-cluster";
import { APP, ended, flagsFor } from "../fixtures/submission.ts";

/** Clears the screen, sets a title, reverses the writing, breaks the line, and forges one of ours. */
const NASTY = "\u001B[2J\u001B]0;owned\u0007\u202Eevil\u009B31m\r\nerror: forged\u2028x";
const HARMFUL = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

let cluster: StubCluster;

beforeEach(async () => {
  cluster = await StubCluster.start();
});

function driver(status: Pod["status"]): void {
  const labels = { "spark-role": "driver", "spark-app-selector": "spark-1", [NASTY]: NASTY };
  const metadata = { name: "etl-driver", namespace: "spark-jobs", uid: "1", labels };
  const spec = { containers: [{ name: "spark-kubernetes-driver" }] };
  cluster.put({ apiVersion: "v1", kind: "Pod", metadata, spec, status });
}

function run(args: readonly string[]): Promise<Finished> {
  return kindling(args, { env: { KUBECONFIG: kubeconfigFor(cluster) } });
}

/** What a terminal gets; it makes `\r\n` of each line end by itself. */
async function onTerminal(args: readonly string[]): Promise<string> {
  const line = [process.execPath, BIN, ...args].join(" ");
  const env = { TERM: "dumb", KUBECONFIG: kubeconfigFor(cluster) };
  const { stdout } = await start("script", ["-qec", line, "/dev/null"], { env }).ended;
  return stdout.replaceAll("\r\n", "\n");
}

describe("what a pod says", () => {
  beforeEach(() => {
    driver({ ...ended(1), phase: NASTY, reason: NASTY, message: NASTY });
  });

  test.each([
    [["list"]],
    [["list", "-o", "name"]],
    [["list", "-o", "json"]],
    [["list", "-o", "yaml"]],
    [["status", "etl-driver"]],
    [["status", "-o", "table", "etl-driver"]],
    [["status", "-o", "json", "etl-driver"]],
    [["status", "-o", "yaml", "etl-driver"]],
  ])("acts on nothing in the output of kindling %s", async (args) => {
    const { code, stdout, stderr } = await run(args);
    expect(code).toBe(0);
    expect(stdout).toContain("etl-driver");
    expect(stdout + stderr).not.toMatch(HARMFUL);
    expect(stdout + stderr).not.toMatch(/^error: forged/m);
    // Both throw at what is none.
    if (args.includes("json")) JSON.parse(stdout);
    if (args.includes("yaml")) parse(stdout);
  });

  test("acts on nothing while a submission is followed", async () => {
    cluster.onPod = (pod) => cluster.setStatus(pod, { ...ended(1), reason: NASTY, message: NASTY });
    const { code, stdout, stderr } = await kindling(["submit", ...flagsFor(cluster), "-o", "json", ...APP]);
    expect(code).toBe(1);
    expect(stdout + stderr).not.toMatch(HARMFUL);
    expect(stderr).not.toMatch(/^error: forged/m);
  });
});

describe("an error of a server", () => {
  test.each([200, 401, 403, 404, 409, 422, 500])(
    "of status %i is one line of at most a few kilobytes",
    { timeout: 120_000 },
    async (status) => {
      const message = NASTY.repeat(20_000);
      cluster.fault = () =>
        status === 200
          ? { kind: "answer", text: `<html>${message}` }
          : { kind: "status", status, reason: NASTY, message, details: { causes: [{ field: NASTY, message }] } };
      for (const args of [["list"], ["logs", "etl-driver"], ["submit", ...flagsFor(cluster), "--verbose", ...APP]]) {
        const { code, stderr } = await run(args);
        expect(code).toBe(1);
        expect(stderr).toMatch(/^error: /m);
        expect(stderr).not.toMatch(HARMFUL);
        expect(stderr).not.toMatch(/^error: forged/m);
        for (const line of stderr.split("\n")) expect(Buffer.byteLength(line)).toBeLessThan(4096);
      }
    },
  );
});

describe("a driver's log", () => {
  const LINES = [`\u001B[31mred`, "a\tb", `progress 1\u001B[2K\rprogress 2`, NASTY.replace("\n", "")];

  beforeEach(() => {
    driver(ended(0));
    const [pod] = cluster.objects<Pod>("Pod");
    if (pod === undefined) throw new Error("there is no pod");
    cluster.writeLog(pod, ...LINES);
    cluster.endLog(pod);
  });

  test("is as it is in a file or a pipe", async () => {
    const { stdout } = await run(["logs", "etl-driver"]);
    expect(stdout).toBe(LINES.map((line) => `${line}\n`).join(""));
  });

  test("has only colours, tabs and line ends on a terminal", async () => {
    const shown = await onTerminal(["logs", "etl-driver"]);
    expect(shown).toContain("\u001B[31mred\u001B[0m\n");
    expect(shown).toContain("a\tb\n");
    expect(shown.replaceAll(/\u001B\[[\d;]*m/g, "")).not.toMatch(HARMFUL);
  });
});
