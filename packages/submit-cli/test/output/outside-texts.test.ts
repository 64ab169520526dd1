import type { Pod } from "kubernetes-types/core/v1.js";
import { beforeEach, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { sparkPod } from "../fixtures/driver-pod.ts";
import { BIN, kindling, kubeconfigFor, start, type Finished } from "../fixtures/kindling-process.ts";
import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { APP, flagsFor } from "../fixtures/submission.ts";

/** Clears the screen, sets a title, reverses the writing, breaks the line, and forges one of Kindling's lines. */
const NASTY = "\u001B[2J\u001B]0;owned\u0007\u202Eevil\u009B31m\r\nerror: forged\u2028x";
const HARMFUL = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

let cluster: TestCluster;

beforeEach(async () => {
  cluster = await TestCluster.start();
});

/** A driver pod that no API server would accept. */
function nastyDriver(): Pod {
  const labels = { "spark-role": "driver", "spark-app-selector": "spark-1", [NASTY]: NASTY };
  const { metadata, ...rest } = sparkPod("etl-driver");
  const terminated = { exitCode: 1, reason: NASTY, message: NASTY };
  const container = { name: "spark-kubernetes-driver", image: NASTY, imageID: "", ready: false, restartCount: 0 };
  const containerStatuses = [{ ...container, state: { terminated } }];
  const status = { phase: NASTY, reason: NASTY, message: NASTY, containerStatuses };
  return { ...rest, metadata: { ...metadata, uid: "1", labels }, status };
}

function run(args: readonly string[]): Promise<Finished> {
  return kindling(args, { env: { KUBECONFIG: kubeconfigFor(cluster) } });
}

/** The output on a terminal, which itself adds `\r\n` at each line end. */
async function onTerminal(args: readonly string[]): Promise<string> {
  const line = [process.execPath, BIN, ...args].join(" ");
  const env = { TERM: "dumb", KUBECONFIG: kubeconfigFor(cluster) };
  const { stdout } = await start("script", ["-qec", line, "/dev/null"], { env }).ended;
  return stdout.replaceAll("\r\n", "\n");
}

describe("what a pod says", () => {
  /** Makes the API server return this driver. */
  function lie(): void {
    const pod = nastyDriver();
    cluster.api.fault = ({ path }) => ({
      kind: "answer",
      text: JSON.stringify(
        path.endsWith("/pods")
          ? { apiVersion: "v1", kind: "PodList", metadata: { resourceVersion: "1" }, items: [pod] }
          : pod,
      ),
    });
  }

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
    lie();
    const { code, stdout, stderr } = await run(args);
    expect(`${code} ${stderr}`).toMatch(/^0/);
    expect(stdout).toContain("etl-driver");
    expect(stdout + stderr).not.toMatch(HARMFUL);
    expect(stdout + stderr).not.toMatch(/^error: forged/m);
    // Both throw for invalid texts.
    if (args.includes("json")) JSON.parse(stdout);
    if (args.includes("yaml")) parse(stdout);
  });

  test("acts on nothing while a submission is followed", async () => {
    const submitting = kindling(["submit", ...flagsFor(cluster), "-o", "json", ...APP]);
    const { metadata: { namespace = "", name = "" } = {} } = await cluster.inPhase(await cluster.driver(), "Running");
    const exit = { exitCode: 1, reason: NASTY, message: NASTY };
    cluster.devCluster.podFaults.exit({ namespace, name }, exit);
    const { code, stdout, stderr } = await submitting;
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
      cluster.api.fault = () =>
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

  beforeEach(async () => {
    cluster.script = () => ({ runMilliseconds: 0, log: LINES });
    await cluster.createPod(sparkPod("etl-driver"), "Succeeded");
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
