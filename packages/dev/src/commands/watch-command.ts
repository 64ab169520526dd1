import { spawn } from "node:child_process";
import { once } from "node:events";
import { relative } from "node:path";
import type { CommandContext, CommandLine } from "@kindling/command-line";
import { EXIT_CODES, KindlingError } from "@kindling/core-spec";
import { clusterOptions } from "../args/cluster-options.ts";
import type { InstanceStatus } from "../control/instance-status.ts";
import { namedFiles } from "../watch/named-files.ts";
import { fileStates, nextChange } from "../watch/next-change.ts";
import { kindlingProgram } from "./kindling-program.ts";
import { submissionOf } from "./submission-of.ts";
import { withInstance } from "./with-instance.ts";

/**
 * `kindling dev watch APPLICATION`: submits the application, and again whenever a file in its arguments changes, until it is
 * interrupted. An application that still runs is ended first.
 */
export async function watchCommand(line: CommandLine, context: CommandContext): Promise<number> {
  const submission = submissionOf(line);
  if (submission.length === 0) {
    throw new KindlingError("ARGUMENT_INVALID", "watch needs an application to submit", {
      hint: "name it, as in kindling dev watch app.py, with flags of submit after --: kindling dev watch app.py -- --num-executors 2",
    });
  }
  if (submission.some((word) => /^--submission-id(?:=|$)/.test(word))) {
    throw new KindlingError("ARGUMENT_INVALID", "--submission-id: each run of watch has an id of its own");
  }
  const files = namedFiles(submission, context.outside.cwd);
  if (files.length === 0) {
    throw new KindlingError("ARGUMENT_INVALID", "none of the arguments is a file of this machine to be watched");
  }
  return await withInstance(clusterOptions(line, context.outside), context, {
    use: (instance) => watch(instance, submission, files, context),
  });
}

async function watch(
  instance: InstanceStatus,
  submission: readonly string[],
  files: readonly string[],
  context: CommandContext,
): Promise<number> {
  const { outside, output, signal } = context;
  for (;;) {
    const states = await fileStates(files);
    const id = `watch-${Buffer.from(outside.random.bytes(4)).toString("hex")}`;
    const run = startRun(instance, ["--logs", "--submission-id", id, ...submission], context);
    const change = nextChange(states, outside.clock, signal);
    const end = run.ended.then((code) => {
      if (!run.isStopped())
        output.err(`ended with exit code ${code}; waiting for a change of ${shown(files, context)}\n`);
    });
    const changed = await change;
    await run.stop();
    await end;
    await removeApplication(instance, id, context);
    if (signal.aborted) return EXIT_CODES.interrupted.code;
    output.err(`${shown(changed, context)} ${changed.length === 1 ? "has" : "have"} changed\n`);
  }
}

interface Run {
  /** The exit code; null for a run that was stopped. */
  readonly ended: Promise<number | null>;
  isStopped(): boolean;
  stop(): Promise<void>;
}

/** A submission that follows its application, with this process's own streams. */
function startRun(instance: InstanceStatus, args: readonly string[], { outside }: CommandContext): Run {
  const { args: program, env } = kindlingProgram(instance, ["submit", ...args], outside.env);
  const child = spawn(process.execPath, program, { env: { ...env }, stdio: "inherit" });
  const ended = once(child, "exit").then(([code]) => code as number | null);
  let stopped = false;
  return {
    ended,
    isStopped: () => stopped,
    async stop() {
      stopped = true;
      // Everything that it would clean up is removed with its application, and on other signals it would print how to go on
      // with that.
      child.kill("SIGKILL");
      await ended;
    },
  };
}

/** Ends a running application and removes it: the next one replaces it. */
async function removeApplication(instance: InstanceStatus, id: string, { outside }: CommandContext): Promise<void> {
  const { args, env } = kindlingProgram(instance, ["kill", "--grace-period", "0", id], outside.env);
  // If it does not exist, nothing has to be done.
  await once(spawn(process.execPath, args, { env: { ...env }, stdio: "ignore" }), "exit");
}

function shown(paths: readonly string[], { outside }: CommandContext): string {
  return paths.map((path) => relative(outside.cwd, path)).join(", ");
}
