import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { drawn } from "../clusters/drawn.ts";
import { prepareApplications } from "../clusters/applications.ts";
import { Kindling, submissionIdIn, type Ended } from "../clusters/kindling.ts";
import { stagingSetup, TestStaging } from "../clusters/staging.ts";
import { SPARK_VERSIONS, TestNamespace } from "../clusters/test-cluster.ts";
import { conf, FILES, type Bench, type Mistakes } from "../mistakes/bench.ts";
import { FAILING } from "../mistakes/failing.ts";
import { NAMING } from "../mistakes/naming.ts";
import { REACHING } from "../mistakes/reaching.ts";
import { documentedMistakes, type DocumentedMistake } from "../mistakes/table.ts";
import { TYPING } from "../mistakes/typing.ts";
import { WAITING } from "../mistakes/waiting.ts";

const [VERSION = ""] = SPARK_VERSIONS.slice(-1);
const PAGE = new URL("../../../docs/mistakes.md", import.meta.url);
const MISTAKES: Mistakes = { ...TYPING, ...REACHING, ...NAMING, ...WAITING, ...FAILING };
const DOCUMENTED = documentedMistakes(readFileSync(PAGE, "utf8"));
/** What is refused before there is a pod takes no time: all of it is tried. */
const TRIED = new Set([
  ...Object.keys(TYPING),
  ...drawn("mistakes", Object.keys({ ...REACHING, ...NAMING, ...WAITING, ...FAILING })),
]);

test("every mistake of the documentation is made, and no other", () => {
  expect(DOCUMENTED.map(({ mistake }) => mistake).toSorted()).toEqual(Object.keys(MISTAKES).toSorted());
});

test("every answer says what to do next", () => {
  const says = /^hint: |^next: |did you mean |^note: to submit this one, |--dry-run=server|--conf spark/;
  const without = DOCUMENTED.filter(({ printed }) => !printed.some((line) => says.test(line)));
  expect(without.map(({ mistake }) => mistake)).toEqual([]);
});

const setup = stagingSetup();

describe.skipIf(setup === undefined)("what is printed of", () => {
  let bench: Bench;
  const cleanUps: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    if (setup === undefined) return;
    const namespace = await TestNamespace.create("mistakes");
    const folder = mkdtempSync(join(tmpdir(), "kindling-e2e-mistakes-"));
    const { server, tls } = namespace.client.access;
    writeFileSync(join(folder, "cluster.pem"), tls.ca ?? "");
    const sidecar = { name: "proxy", image: "localhost:1/nosuch/proxy:1" };
    const files = { ...FILES, "sidecar.yaml": JSON.stringify({ spec: { containers: [{ name: "spark" }, sidecar] } }) };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    bench = {
      ...{ namespace, setup, folder },
      atEnd: (cleanUp) => void cleanUps.push(cleanUp),
      fixtures: await prepareApplications(namespace, VERSION),
      staging: await TestStaging.start(setup),
      reach: [
        ...["--master", `k8s://${server}`],
        ...conf({ "spark.kubernetes.authenticate.submission.caCertFile": join(folder, "cluster.pem") }),
      ],
    };
  });
  afterAll(async () => {
    await Promise.all(cleanUps.map((cleanUp) => cleanUp()));
    await bench.staging.stop();
    bench.fixtures.remove();
    rmSync(bench.folder, { recursive: true, force: true });
    await bench.namespace.remove();
  });

  test.concurrent.for(DOCUMENTED.map((documented) => [documented.mistake, documented] as const))(
    "%s",
    async ([mistake, documented], { skip }) => {
      if (!TRIED.has(mistake)) return skip();
      const make = MISTAKES[mistake];
      if (make === undefined) throw new Error("it is not made");
      const { args, env } = await make(bench);
      const running = new Kindling(args, { ...env, NO_COLOR: "1" }, bench.folder);
      const { exit, out, err } = await untilSaid(running, documented);
      await bench.namespace.deleteApplication(submissionIdIn(err).split(":")[1] ?? "none");
      const lines = `${out}\n${err}`.split("\n");
      for (const line of documented.printed) expect(lines).toContainEqual(expect.stringMatching(patternOf(line)));
      expect(exit).toBe(documented.exit);
      expect(err).not.toMatch(/^ +at .*\.[jt]s:\d+/m);
    },
  );
});

/** Runs a command to its end. If it waits for ever, runs it until it has said why. */
async function untilSaid(running: Kindling, { exit, printed }: DocumentedMistake): Promise<Ended> {
  if (exit !== WAITS) return await running.ended;
  const saidAll = (): boolean => {
    const lines = running.err.split("\n");
    return printed.every((line) => lines.some((said) => patternOf(line).test(said)));
  };
  // Only once: a second interrupt would end it before it has said how to go on.
  let interrupted = false;
  const interrupt = (): void => {
    if (!interrupted) running.child.kill("SIGINT");
    interrupted = true;
  };
  const look = setInterval(() => saidAll() && interrupt(), 200);
  const giveUp = setTimeout(interrupt, 240_000);
  try {
    return await running.ended;
  } finally {
    clearInterval(look);
    clearTimeout(giveUp);
  }
}

/** The exit code of an interrupted command. */
const WAITS = 130;

/** A line in which `…` stands for any text. */
function patternOf(line: string): RegExp {
  const parts = line.split("…").map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`);
}
