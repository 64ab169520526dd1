import type { CommandContext, CommandLine } from "@kindling/command-line";
import { EXIT_CODES, isInterruption, KindlingError } from "@kindling/core-spec";
import { applicationOf, clusterError, follow } from "@kindling/submit";
import { parseDuration } from "./parse-duration.ts";
import { eventPrinter } from "../output/event-printer.ts";
import { goesOnText, timedOutText } from "../output/timed-out-text.ts";
import { exitCode } from "./exit-code.ts";
import { driverOf, oneApplication } from "./one-application.ts";
import { reachOf } from "./reach-options.ts";
import { reachCluster } from "./target.ts";
import { WAITED_FOR } from "./waited-for.ts";

/** `kindling wait NAME`: follows an existing application, as `submit` does, and has its exit code. */
export async function waitCommand(line: CommandLine, context: CommandContext): Promise<number> {
  const words = "wait is about one application: name it by its name, its id or its driver pod";
  const wanted = oneApplication(line, words);
  const until = waitedFor(line.value("for"));
  const timeout = line.value("timeout");
  const timeoutMs = timeout === undefined ? undefined : parseDuration("--timeout", timeout);
  const { client } = await reachCluster(reachOf(line), context);
  const { output, outside, secrets, signal } = context;
  try {
    const application = applicationOf(await driverOf(client, wanted, context));
    const { submissionId } = application;
    const onEvent = eventPrinter(output, { logs: false, now: () => outside.clock.now() });
    const outcome = await follow(application, client, {
      ...{ until: until === "running" ? "started" : "ended", timeoutMs },
      ...{ onEvent, outside, secrets, signal },
    } as const);
    if (outcome.phase === "TimedOut") {
      const limit = until === "running" ? "pending-timeout" : "timeout";
      output.err(timedOutText(limit, timeout) + goesOnText(submissionId));
    }
    return exitCode(outcome, "driver");
  } catch (error) {
    const known = clusterError(error);
    if (!isInterruption(known)) throw known;
    output.err("Interrupted; the application goes on.\n");
    return EXIT_CODES.interrupted.code;
  } finally {
    client.close();
  }
}

function waitedFor(text: string = WAITED_FOR[0]): (typeof WAITED_FOR)[number] {
  const known = WAITED_FOR.find((one) => one === text);
  if (known === undefined)
    throw new KindlingError("ARGUMENT_INVALID", `--for ${text}: must be one of ${WAITED_FOR.join(", ")}`);
  return known;
}
