import { isKindlingError } from "@kindling/core-spec";
import { systemClock, systemRandom } from "@kindling/outside";
import { readPort, readSettings } from "./server/settings.ts";

const NAME = "kindling-shuffle-server";
const WAIT_MS = 60_000;
/** How long open answers may take after SIGTERM. */
const STOP_MS = 5_000;
const WRONG_USE = 2;

const USAGE = `usage: ${NAME}        serve the shuffle files of an executor; the environment says which
       ${NAME} wait   wait until the server of this pod answers, at most ${WAIT_MS / 1000} s
`;

async function main(args: readonly string[]): Promise<void> {
  const [command, ...more] = args;
  if (command === "--help" || command === "-h") {
    process.stdout.write(USAGE);
  } else if (command === "wait" && more.length === 0) {
    const { waitForPort } = await import("./wait-for-port.ts");
    await waitForPort(readPort(process.env), WAIT_MS, systemClock);
  } else if (command === undefined) {
    await serve();
  } else {
    process.stderr.write(USAGE);
    process.exitCode = WRONG_USE;
  }
}

async function serve(): Promise<void> {
  // The reader of the log may be gone before the files are.
  process.stderr.on("error", () => undefined);
  const settings = readSettings(process.env);
  const { serveShuffle } = await import("./server/serve-shuffle.ts");
  let end: () => void = () => undefined;
  const asked = new Promise<void>((resolve) => (end = resolve));
  process.on("SIGTERM", end);
  process.on("SIGINT", end);
  const server = await serveShuffle({
    ...settings,
    clock: systemClock,
    random: systemRandom(),
    write,
    onEmpty: end,
  });
  await asked;
  await server.stop(STOP_MS);
  process.exit(0);
}

function write(line: string): void {
  process.stderr.write(`${NAME}: ${line}\n`);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  if (isKindlingError(error)) {
    write(error.message);
    if (error.hint !== undefined) write(`  ${error.hint}`);
    process.exitCode = WRONG_USE;
  } else {
    write(`a fault of Kindling itself, please report it: ${error instanceof Error ? error.stack : String(error)}`);
    process.exitCode = 1;
  }
});
