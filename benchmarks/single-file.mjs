// @ts-check
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { HERE, nodeExecutable } from "../deploy/node-executable.mjs";
import { NODE } from "../deploy/single-file/node-version.mjs";
import { compare } from "./harness/compare.mjs";
import { mebibytes, seconds } from "./harness/figures.mjs";
import { startStub } from "./harness/stub.mjs";
import { table } from "./harness/table.mjs";
import { KINDLING, submissionArguments } from "./submission.mjs";

const BUILD = fileURLToPath(new URL("../deploy/single-file/build.mjs", import.meta.url));
const ROUNDS = 15;

/** A submission by the command as one file, and by the same bundle with a Node. */
export async function singleFile() {
  const work = mkdtempSync(join(tmpdir(), "kindling-single-file-"));
  const stub = await startStub();
  try {
    execFileSync(process.execPath, [BUILD, "--output", work, HERE], { stdio: "ignore" });
    const file = join(work, `kindling-${HERE}`);
    const submission = ["submit", ...submissionArguments(stub.address, "4.3.0")];
    const rows = [
      ...(await rowsOf("a submission", file, submission)),
      ...(await rowsOf("`kindling --version`", file, ["--version"])),
    ];
    const head = [
      "measured",
      "one file",
      `Node ${NODE} and the bundle`,
      `Node ${process.versions.node} and the bundle`,
    ];
    return table([[...head, "file to its Node", "wanted"], ...rows]);
  } finally {
    await stub.stop();
    rmSync(work, { recursive: true, force: true });
  }
}

/**
 * @param {string} what
 * @param {string} file
 * @param {readonly string[]} args
 */
async function rowsOf(what, file, args) {
  const env = { KUBECONFIG: "/dev/null" };
  const { one, same, here } = await compare(ROUNDS, {
    one: { command: file, args, env },
    same: { command: nodeExecutable(NODE), args: [KINDLING, ...args], env },
    here: { command: process.execPath, args: [KINDLING, ...args], env },
  });
  const ratio = (/** @type {number} */ a, /** @type {number} */ b) => `${(a / b).toFixed(2)}×`;
  return [
    [
      `${what}, wall time`,
      ...[one, same, here].map(({ wall }) => seconds(wall)),
      ratio(one.wall, same.wall),
      "at most 1×",
    ],
    [`${what}, CPU time`, ...[one, same, here].map(({ cpu }) => seconds(cpu)), ratio(one.cpu, same.cpu), ""],
    [
      `${what}, peak memory`,
      ...[one, same, here].map(({ memory }) => mebibytes(memory)),
      ratio(one.memory, same.memory),
      "",
    ],
  ];
}
