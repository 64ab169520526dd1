import { readFileSync } from "node:fs";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import { beforeEach, describe, expect, test } from "vitest";
import { BIN, start } from "../fixtures/kindling-process.ts";
import { someStage } from "../fixtures/some-stage.ts";
import { recorded, type Recorded } from "../fixtures/recorded.ts";

/** What the client library of the protocol (@modelcontextprotocol/sdk 1.32.2) sends, a message in each line. */
const CONVERSATION = readFileSync(new URL("../fixtures/mcp-conversation.jsonl", import.meta.url), "utf8");

interface Answer {
  readonly id: number | string | null;
  readonly result?: {
    readonly content?: readonly { readonly text: string }[];
    readonly isError?: boolean;
    readonly tools?: readonly { readonly name: string; readonly annotations: object }[];
    readonly [more: string]: unknown;
  };
  readonly error?: { readonly code: number };
}

let scene: Recorded;

beforeEach(async () => {
  scene = await recorded();
});

/** Sends lines to the command, and returns its answers by id. */
async function talk(lines: string): Promise<ReadonlyMap<Answer["id"], Answer>> {
  const input = scratchFolder().write("input", lines);
  const command = ["-c", 'exec "$0" "$@" < "$INPUT"', process.execPath, BIN, "mcp", ...scene.reach];
  const { code, stdout, stderr } = await start("/bin/sh", command, { env: { INPUT: input } }).ended;
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const answers = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Answer);
  return new Map(answers.map((answer) => [answer.id, answer]));
}

const callOf = (id: number, name: string, given: object): string =>
  `${JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: given } })}\n`;

const textOf = (answer: Answer | undefined): string => answer?.result?.content?.[0]?.text ?? "";

describe("kindling mcp", () => {
  test("answers a client of the protocol", async () => {
    await scene.gone("daily", { exitCode: 1, log: ["Caused by: java.io.IOException: no space"] });
    const answers = await talk(CONVERSATION);
    expect(answers.get(0)?.result).toMatchObject({ protocolVersion: "2025-06-18", serverInfo: { name: "kindling" } });
    const tools = answers.get(1)?.result?.tools ?? [];
    expect(tools.map(({ name }) => name)).toEqual([
      "list_runs",
      "explain_run",
      "read_log",
      "list_stages",
      "compare_runs",
      "sum_usage",
    ]);
    expect(new Set(tools.map(({ annotations }) => JSON.stringify(annotations)))).toEqual(
      new Set(['{"readOnlyHint":true,"openWorldHint":false}']),
    );
    expect(JSON.parse(textOf(answers.get(2)))).toMatchObject([{ name: "daily", state: "failed" }]);
    expect(JSON.parse(textOf(answers.get(3)))).toMatchObject({ run: { name: "daily" }, findings: [{}] });
    expect(textOf(answers.get(4))).toContain("no space");
  });

  test("compares, and adds up", async () => {
    const stages = [someStage(0, 1_000), someStage(1, 4_000)];
    await scene.gone("daily", { id: "spark-1", driver: "daily-1-driver", stages });
    await scene.gone("daily", { id: "spark-2", driver: "daily-2-driver", queue: "etl", stages: [someStage(0, 9_000)] });
    const answers = await talk(
      callOf(1, "compare_runs", { before: "daily~1", after: "daily" }) +
        callOf(2, "sum_usage", { since: "1h" }) +
        callOf(3, "list_stages", { name: "daily~1", limit: 1 }),
    );
    expect(JSON.parse(textOf(answers.get(1)))).toMatchObject({
      configuration: [{ name: "queue", after: "etl" }],
      stages: [
        { name: "count 0", before: 1, after: 9 },
        { name: "count 1", before: 4 },
      ],
    });
    expect(JSON.parse(textOf(answers.get(3)))).toEqual([someStage(1, 4_000)]);
    expect(JSON.parse(textOf(answers.get(2)))).toMatchObject([{ runs: 1 }, { runs: 1 }]);
  });

  test("tells the assistant what was wrong, and goes on", async () => {
    const answers = await talk(
      [
        "no JSON\n",
        '{"jsonrpc":"2.0","id":1,"method":"resources/list"}\n',
        callOf(2, "delete_everything", {}),
        callOf(3, "read_log", { name: "never" }),
        callOf(4, "list_runs", { limit: 100_000 }),
        '{"jsonrpc":"2.0","id":5,"method":"ping"}\n',
      ].join(""),
    );
    expect(answers.get(null)?.error?.code).toBe(-32_700);
    expect(answers.get(1)?.error?.code).toBe(-32_601);
    expect(answers.get(2)?.error?.code).toBe(-32_602);
    expect(answers.get(3)?.result?.isError).toBe(true);
    expect(textOf(answers.get(3))).toContain('nothing is kept of "never"');
    expect(textOf(answers.get(4))).toBe("limit must be a whole number from 1 to 200");
    expect(answers.get(5)?.result).toEqual({});
  });
});
