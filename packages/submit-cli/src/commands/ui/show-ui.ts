import { type CommandContext, type CommandLine, type Output, printNotice } from "@kindling/command-line";
import { KindlingError } from "@kindling/core-spec";
import type { KubeClient } from "@kindling/kube";
import { forwardPort, type ForwardedPortOptions } from "./forward-port.ts";

/** What is shown, and where its web UI begins. */
export interface ShownUi extends Pick<ForwardedPortOptions, "own"> {
  readonly client: Pick<KubeClient, "portForward">;
  readonly namespace: string;
  readonly pod: string;
  /** The port in the pod. */
  readonly port: number;
  readonly path: string;
  /** Default: `http`. */
  readonly scheme?: "http" | "https";
}

/** Prints where a web UI can be seen, and lets it be seen until the user ends the command. */
export async function show(
  { client, namespace, pod, port, own, path, scheme = "http" }: ShownUi,
  { output, signal }: CommandContext,
): Promise<void> {
  const open = (): ReturnType<typeof client.portForward> => client.portForward(pod, port, { namespace, signal });
  const here = await forwardPort({ open, own, onFault: faultPrinter(output, signal) });
  try {
    output.out(`${scheme}://${here.address}${path}\n`);
    output.err("Ctrl-C ends it.\n");
    await untilAborted(signal);
  } finally {
    here.close();
  }
}

/** Tells the user once of each way in which connections fail. */
export function faultPrinter(output: Output, signal: AbortSignal): (error: unknown) => void {
  const told = new Set<string>();
  return (error) => {
    const text = error instanceof Error ? error.message : String(error);
    if (!signal.aborted && !told.has(text)) printNotice(text, output);
    told.add(text);
  };
}

/** Resolves when the user ends the command. */
export function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}

/** The port of this machine that the user names, or this one if it is free. */
export function portOf(line: CommandLine, usual: number): ForwardedPortOptions["own"] {
  const text = line.value("port");
  if (text === undefined) return { port: usual, isFixed: false };
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return { port: Number(text), isFixed: true };
  throw new KindlingError("ARGUMENT_INVALID", `--port ${text}: must be a port from 0 to 65535`);
}
