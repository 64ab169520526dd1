import { execFileSync } from "node:child_process";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { assignments, removals } from "../src/commands/shells.ts";
import { BIN, Machine } from "./support/dev-process.ts";

describe("kindling dev env", () => {
  test("is what a shell carries out to find the cluster, and to forget it again", async () => {
    const machine = new Machine();
    await machine.dev("up");
    const { code, stdout, stderr } = await machine.dev("env");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const gone = (await machine.dev("env", "--unset")).stdout;
    const script = `eval "$1"; echo "$KUBECONFIG $SPARK_CONF_DIR"; eval "$2"; echo "$KUBECONFIG$SPARK_CONF_DIR."`;
    const shown = execFileSync("sh", ["-c", script, "sh", stdout, gone], { encoding: "utf8" });
    expect(shown).toBe(`${join(machine.state, "kubeconfig")} ${join(machine.state, "conf")}\n.\n`);
  });

  test("writes for the shell that asks, else for that of SHELL, and --shell counts more", async () => {
    const machine = new Machine();
    await machine.dev("up");
    machine.env["SHELL"] = "/usr/bin/fish";
    expect((await machine.dev("env")).stdout).toContain(`set -gx KUBECONFIG ${machine.state}/kubeconfig;\n`);
    expect((await machine.dev("env", "--shell", "zsh")).stdout).toContain(`export KUBECONFIG=`);
    expect((await machine.dev("env", "--unset")).stdout).toBe("set -e KUBECONFIG;\nset -e SPARK_CONF_DIR;\n");
    // The login shell is another one than the script's.
    const asked = execFileSync(
      "bash",
      ["-c", 'eval $("$@"); echo "$KUBECONFIG"', "bash", process.execPath, BIN, "env"],
      {
        encoding: "utf8",
        env: machine.env,
      },
    );
    expect(asked).toBe(`${machine.state}/kubeconfig\n`);
    expect(await machine.dev("env", "--shell", "powershell")).toMatchObject({
      stdout: "",
      stderr: expect.stringMatching(/--shell "?powershell"?: not known\nhint: name one of .*fish/) as string,
    });
  });

  test("has nothing for a shell where nothing runs, and fails", async () => {
    const machine = new Machine();
    const { code, stdout, stderr } = await machine.dev("env");
    expect({ code: code === 0, stdout }).toEqual({ code: false, stdout: "" });
    expect(stderr).toMatch(/nothing runs with state folder .*\nhint: kindling dev up starts it/);
    expect((await machine.dev("env", "-u")).code).toBe(0);
  });
});

test("whatever a path has in it, a shell takes it as it is", () => {
  fc.assert(
    fc.property(
      fc.string({ minLength: 1 }).filter((text) => !text.includes("\0")),
      (path) => {
        const script = `${assignments("sh", { PLACE: path }).join("\n")}\nprintf '%s' "$PLACE"`;
        expect(execFileSync("sh", ["-c", script], { encoding: "utf8" })).toBe(path);
      },
    ),
    { numRuns: 30 },
  );
});

test("fish and csh have their own ways to quote", () => {
  expect(assignments("fish", { A: String.raw`it's a \ place` })).toEqual([String.raw`set -gx A 'it\'s a \\ place'`]);
  expect(assignments("csh", { A: "it's new!" })).toEqual([String.raw`setenv A 'it'\''s new\!'`]);
  expect(removals("csh", ["A"])).toEqual(["unsetenv A"]);
});
