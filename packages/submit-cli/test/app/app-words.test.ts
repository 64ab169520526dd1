import { parseCommandLine } from "@kindling/command-line";
import { beforeEach, expect, test } from "vitest";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import { BIN, kindling, start } from "../fixtures/kindling-process.ts";
import { completeCommand } from "../../src/commands/complete-command.ts";
import { application, OperatedCluster, schedule, startCommand } from "../fixtures/operated-cluster.ts";

const COMPLETE = { name: "complete", summary: "", operands: { shown: "" }, options: [], examples: [] };

let operated: OperatedCluster;

beforeEach(async () => {
  operated = await OperatedCluster.start();
  await operated.apply(application("pi"));
  await operated.apply(schedule("nightly"));
});

test("a command line of `kindling app` is completed by commands, names and files", async () => {
  const folder = scratchFolder({ "pi.yaml": "", "app.jar": "", "sub/etl.json": "", "sub/x.txt": "" });
  const offered = async (...words: string[]): Promise<string[]> => {
    const line = parseCommandLine(COMPLETE, ["app", "--", ...words], "kindling complete");
    const options = { env: operated.env, cwd: folder.path };
    const ran = await startCommand((context) => completeCommand(line, context), options).ended;
    expect(ran).toMatchObject({ code: 0, stderr: "" });
    return ran.stdout.split("\n").filter((line) => line !== "");
  };
  const commands = ["create", "delete", "events", "list", "logs", "rerun", "resume", "status", "suspend"];
  // In bash's form, and in fish's.
  expect(await offered("app", "")).toEqual(commands);
  expect(await offered("kindling", "app")).toEqual(commands);
  expect(await offered("app", "status", "p")).toEqual(["pi"]);
  expect(await offered("kindling", "app", "status")).toEqual(["pi"]);
  expect(await offered("app", "suspend", "--scheduled", "")).toEqual(["nightly"]);
  expect(await offered("app", "create", "--from", "")).toEqual(["nightly"]);
  expect(await offered("app", "create", "")).toEqual(["pi.yaml", "sub/"]);
  expect(await offered("app", "create", "sub/")).toEqual(["sub/etl.json"]);
  expect(await offered("app", "list", "")).toEqual([]);
});

test("a bash completes it with all this", async () => {
  const folder = scratchFolder();
  folder.write("completion.bash", (await kindling(["completion", "bash"])).stdout);
  folder.writeScript("bin/kindling", `exec ${process.execPath} ${BIN} "$@"`);
  const complete = async (...words: readonly string[]): Promise<string> => {
    const program = `source ./completion.bash; COMP_WORDS=(kindling "$@"); COMP_CWORD=$#; _kindling; echo "\${COMPREPLY[@]}"`;
    const env = { ...operated.env, PATH: `${folder.path}/bin:${process.env["PATH"]}` };
    return (await start("bash", ["-c", program, "bash", ...words], { cwd: folder.path, env }).ended).stdout.trim();
  };
  expect(await complete("app", "logs", "p")).toBe("pi");
  expect(await complete("app", "list", "--state", "RUN")).toBe("RUNNING");
  expect((await complete("app", "status", "-o", "t")).split(" ").toSorted()).toEqual(["table", "text"]);
});
