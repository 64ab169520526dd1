import { expect, it } from "vitest";
import { onlyServer } from "../../src/replicas/election.ts";
import { unwatchedOwners } from "../../src/lifecycle/owner-watch.ts";
import { testServer } from "../support/test-server.ts";

const HOSTILE = '\u001B]0;owned\u0007 \u009B2J \u202Etxt.exe\r\n{"level":"info","msg":"all is well"}';

it("logs what others say in one line of harmless characters, and not all of it", async () => {
  const cause = new Error(`cause ${HOSTILE} ${"x".repeat(3_000_000)}`);
  const { logLines } = await testServer(
    { "lifecycle.owners": "kubernetes" },
    {
      connectCluster: () =>
        Promise.resolve({
          reviews: { reviewToken: () => Promise.reject(cause), reviewAccess: () => Promise.reject(cause) },
          watchOwners({ onError }) {
            queueMicrotask(() => onError(new Error(`the API server says ${HOSTILE}`, { cause })));
            return unwatchedOwners();
          },
          elect: onlyServer,
          close: () => undefined,
        }),
    },
  );
  const line = logLines.find((each) => each.includes("the API server says")) ?? "";
  expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}](?!$)/u);
  expect(line.length).toBeLessThan(20_000);
  const { err } = JSON.parse(line) as { err: { message: string; cause: { message: string } } };
  expect(err.message).toContain("\\u{1b}]0;owned\\u{7} \\u{9b}2J \\u{202e}txt.exe");
  expect(err.cause.message).toContain("3000");
});
