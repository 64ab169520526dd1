import { mkdirSync } from "node:fs";
import { createServer } from "node:http";
import { describe, expect, onTestFinished, test } from "vitest";
import { statePaths } from "../src/state/state-paths.ts";
import { Machine } from "./support/dev-process.ts";

const HOSTILE = "a\u001B]0;owned\u0007\u009B2J\u202Eb\nerror: forged\u2028";
const REPORT = {
  ...{ since: HOSTILE, pid: 1, url: HOSTILE, nodes: 1, kubeconfig: HOSTILE, confDir: HOSTILE, staging: HOSTILE },
  ...{ log: HOSTILE, image: HOSTILE, images: [HOSTILE], history: { fault: HOSTILE } },
};

/** Something that listens where an instance would. */
async function listenAt(machine: Machine, answer: string): Promise<void> {
  mkdirSync(machine.state, { recursive: true, mode: 0o700 });
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(200).end(answer);
  });
  server.listen(statePaths(machine.state).socket);
  await new Promise((resolve) => server.once("listening", resolve));
  onTestFinished(() => void server.close());
}

describe("what listens in the place of an instance", () => {
  test.each([["text"], ["json"], ["yaml"]])(
    "does not get what it says past kindling dev status -o %s",
    async (format) => {
      const machine = new Machine();
      await listenAt(machine, JSON.stringify(REPORT));
      const { stdout, stderr } = await machine.dev("status", "-o", format);
      expect(stdout).toContain("\\u{1b}]0;owned");
      expect(stdout + stderr).not.toMatch(/(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
      expect(stdout + stderr).not.toMatch(/^error: forged/m);
    },
  );

  test("and knows nothing of a history is an instance of an earlier version", async () => {
    const machine = new Machine();
    await listenAt(machine, JSON.stringify({ ...REPORT, history: undefined }));
    expect(await machine.dev("status")).toMatchObject({ code: 0, stderr: "" });
  });

  test("and answers with no JSON is told as an error", async () => {
    const machine = new Machine();
    await listenAt(machine, HOSTILE);
    const { code, stderr } = await machine.dev("status");
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: the process that listens at \S+ is not kindling dev\nhint: /);
  });
});
