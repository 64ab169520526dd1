import type { CommandContext } from "@kindling/command-line";
import { type ErrorCode, isKindlingError } from "@kindling/core-spec";
import type { InstanceStatus } from "../control/instance-status.ts";
import { type InstanceOptions, startInstance } from "../instance/start-instance.ts";

/** Messages from the process of an instance to the one that started it. */
export type ServeMessage =
  | { readonly type: "ready"; readonly status: InstanceStatus }
  | { readonly type: "failed"; readonly code: ErrorCode; readonly message: string; readonly hint: string | undefined };

/** `kindling dev serve OPTIONS`, which only `up` calls: the instance itself, in a separate process. */
export async function serveCommand(argv: readonly string[], context: CommandContext): Promise<number> {
  const options = JSON.parse(argv[0] ?? "") as InstanceOptions;
  const tell = (message: ServeMessage): void => void process.send?.(message);
  try {
    const instance = await startInstance(options, context.outside);
    const stop = (): void => void instance.stop();
    const { signal } = context;
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop);
    tell({ type: "ready", status: instance.status });
    await instance.ended;
    return 0;
  } catch (error) {
    if (!isKindlingError(error)) throw error;
    tell({ type: "failed", code: error.code, message: error.message, hint: error.hint });
    return 1;
  }
}
