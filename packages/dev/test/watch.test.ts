import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Machine, program } from "./support/dev-process.ts";

/** A machine with a Spark that prints the application, and runs as long as the application's text says. */
function machineWithSpark(): Machine {
  const machine = new Machine();
  program(
    join(machine.spark, "bin", "spark-submit"),
    'for last; do :; done; last="${last#local://}"; cat "$last"; while grep -q "go on" "$last"; do sleep 0.1; done',
  );
  return machine;
}

describe("kindling dev watch", () => {
  test("submits again when a file has changed, and ends what still runs", async () => {
    const machine = machineWithSpark();
    const application = join(machine.folder, "application.py");
    writeFileSync(application, "first: go on\n");
    const watching = machine.start("watch", "application.py");
    await watching.saying("first: go on");
    writeFileSync(application, "second\n");
    await watching.saying("application.py has changed");
    await watching.saying("second");
    await watching.saying("ended with exit code 0; waiting for a change of application.py");
    // As editors do.
    writeFileSync(`${application}.new`, "third\n");
    renameSync(`${application}.new`, application);
    await watching.saying("third");
    watching.child.kill("SIGINT");
    const { code, stdout, stderr } = await watching.ended;
    expect({ code, stdout }).toEqual({ code: 130, stdout: "first: go on\nsecond\nthird\n" });
    expect(stderr).toMatch(/\nthe cluster has ended\n$/);
    expect(machine.hasInstance()).toBe(false);
  });

  test.each<[string, readonly string[], RegExp]>([
    ["without an application", [], /^error: watch needs an application to submit\nhint: .*kindling dev watch app\.py/],
    ["without a file of this machine", ["local:///opt/app.jar"], /^error: none of the arguments is a file/],
    ["with a submission id", ["--", "--submission-id", "one", "x.py"], /^error: --submission-id: each run/],
  ])("is refused %s", async (_, args, message) => {
    const { code, stdout, stderr } = await machineWithSpark().dev("watch", ...args);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(message);
  });
});
