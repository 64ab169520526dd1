import { type CommandContext, type CommandLine, printNotice } from "@kindling/command-line";
import { KindlingError } from "@kindling/core-spec";
import { forwardPort, type ForwardedPortOptions } from "./forward-port.ts";

/** What is shown, and where its web UI begins. */
export interface ShownUi extends Omit<ForwardedPortOptions, "onFault" | "signal"> {
  readonly path: string;
  /** Default: `http`. */
  readonly scheme?: "http" | "https";
}

/** Prints where a web UI can be seen, and lets it be seen until the user ends the command. */
export async function show(
  { path, scheme = "http", ...forwarded }: ShownUi,
  { output, signal }: CommandContext,
): Promise<void> {
  const told = new Set<string>();
  const onFault = (error: unknown): void => {
    const text = error instanceof Error ? error.message : String(error);
    if (!signal.aborted && !told.has(text)) printNotice(text, output);
    told.add(text);
  };
  const here = await forwardPort({ ...forwarded, onFault, signal });
  try {
    output.out(`${scheme}://${here.address}${path}\n`);
    output.err("Ctrl-C ends it.\n");
    await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
  } finally {
    here.close();
  }
}

/** The port of this machine that the user names, or this one if it is free. */
export function portOf(line: CommandLine, usual: number): ForwardedPortOptions["own"] {
  const text = line.value("port");
  if (text === undefined) return { port: usual, isFixed: false };
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return { port: Number(text), isFixed: true };
  throw new KindlingError("ARGUMENT_INVALID", `--port ${text}: must be a port from 0 to 65535`);
}
