import type { KubeClient } from "@kindling/kube";

const LINES = 400;
const BYTES = 64 * 1024;
const TIMEOUT_MS = 3_000;

/** The container whose log is read. */
export interface LoggedContainer {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
}

/**
 * The last lines of a container's log: at most 400 lines and 64 KiB, read in at most three seconds. `undefined` if they cannot be
 * read.
 */
export async function logTail(
  client: Pick<KubeClient, "logs">,
  { namespace, pod, container }: LoggedContainer,
): Promise<readonly string[] | undefined> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const stream = await client.logs(pod, { namespace, container, tailLines: LINES, signal, timeoutMs: TIMEOUT_MS });
    const lines: string[] = [];
    let length = 0;
    for await (const line of stream.lines()) {
      // One line may be longer than everything that is kept.
      lines.push(line.slice(-BYTES));
      length += Math.min(line.length, BYTES);
      while (length > BYTES && lines.length > 1) length -= lines.shift()?.length ?? 0;
    }
    return lines;
  } catch {
    return undefined;
  }
}
