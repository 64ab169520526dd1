import { commandHelp, programHelp, shownCommands } from "@kindling/command-line";
import { describe, expect, test } from "vitest";
import { FLAGS } from "@kindling/spark-arguments";
import { explainHelp, submitHelp } from "../../src/commands/submit-help.ts";
import { DECLARED_COMMANDS, KINDLING } from "../../src/commands/command-table.ts";

const output = { colors: false };
const texts: [string, string][] = [
  ["kindling --help", programHelp(KINDLING, output)],
  ["kindling submit --help", submitHelp(output)],
  ["kindling explain --help", explainHelp(output)],
  ...DECLARED_COMMANDS.map((command): [string, string] => {
    const calledAs = `kindling ${command.name}`;
    return [`${calledAs} --help`, commandHelp(command, calledAs, output)];
  }),
];

describe.each(texts)("%s", (command, text) => {
  test("fits into 120 columns", () => {
    expect(text.split("\n").filter((line) => line.length > 120)).toEqual([]);
  });

  test("says how it is called, and gives examples", () => {
    expect(text).toMatch(/^Usage: kindling /m);
    const [, examples = ""] = text.split("Examples:\n");
    expect(examples).toMatch(
      command === "kindling --help" ? /^ {2}kindling submit/ : new RegExp(`kindling ${command.split(" ")[1]}`),
    );
  });

  test("has no stray blanks at line ends, and one line end at its end", () => {
    expect(text).not.toMatch(/[ \t]$/m);
    expect(text).toMatch(/[^\n]\n$/);
  });
});

test("kindling --help names every command that users call with what it does", () => {
  for (const { name, summary } of shownCommands(KINDLING))
    expect(programHelp(KINDLING, output)).toMatch(new RegExp(`^ {2}${name} +${summary}$`, "m"));
});

describe("the flags of submit", () => {
  test.each(FLAGS.map((flag) => [flag.name, flag] as const))("%s stands in the help once", (name, flag) => {
    const rows = submitHelp(output)
      .split("\n")
      .filter((line) => new RegExp(`^ {2}(    |-.,) ?${name}( |$)`).test(line));
    expect(rows).toHaveLength(1);
    expect(rows[0]).toContain(flag.help);
    expect(rows[0]).toContain(`${name}${flag.value === undefined ? "" : ` ${flag.value}`}`);
  });

  test("have names of their own, long and short", () => {
    const names = FLAGS.flatMap(({ name, short }) => (short === undefined ? [name] : [name, short]));
    expect(new Set(names).size).toBe(names.length);
  });

  test("that spark-submit has are all there", () => {
    // SparkSubmitOptionParser of 4.3.0.
    const sparks =
      "--archives --class --conf --deploy-mode --driver-class-path --driver-cores --driver-default-class-path " +
      "--driver-java-options --driver-library-path --driver-memory --executor-cores --executor-memory --files --jars " +
      "--keytab --kill --master --remote --name --num-executors --packages --exclude-packages --principal " +
      "--properties-file --proxy-user --py-files --queue --repositories --status --total-executor-cores --help " +
      "--load-spark-defaults --extra-properties-file --supervise --usage-error --verbose --version";
    const names = new Set(FLAGS.map(({ name }) => name));
    expect(sparks.split(" ").filter((name) => !names.has(name))).toEqual([]);
  });
});
