import { isStagingError, StagingError } from "../errors.ts";
import { receive } from "../transfer/receive.ts";
import { stagingFault } from "../transport/staging-fault.ts";
import type { DownloadPart } from "./download-source.ts";
import type { Fetching } from "./fetching.ts";
import { unwritable } from "./part-file.ts";

/** Appends the opened body to the part. Returns when the part has the announced length. */
export async function transferPart(fetching: Fetching, { body, size }: DownloadPart): Promise<void> {
  const { options, part, hash } = fetching;
  const { description } = options.source;
  const limit = options.size ?? size ?? Infinity;
  const most = options.mostBytes ?? Infinity;
  let expected = part.size;
  if (Math.max(expected, size ?? 0) > most) {
    body.destroy();
    throw tooLarge(description, most);
  }
  const received = await receive(body, part, {
    observe(chunk) {
      expected += chunk.length;
      if (expected > most) throw tooLarge(description, most);
      if (expected > limit) throw new StagingError("digest", `${description}: longer than announced`);
      hash?.update(chunk);
      options.onBytes?.(chunk.length);
    },
    queueLimit: () => 1024 * 1024,
  });
  body.destroy();
  if (received.outcome === "complete" && (size === undefined || part.size === size)) return;
  if (received.outcome === "failed") {
    fetching.hash = undefined;
    throw unwritable(part.path, received.error);
  }
  if (received.outcome === "refused") throw received.error;
  const error = received.outcome === "cut" ? received.error : new Error("the body ended early");
  throw isStagingError(error) ? error : networkCut(description, error);
}

function tooLarge(description: string, most: number): StagingError {
  return new StagingError("too-large", `${description}: larger than the ${most} bytes that are allowed`);
}

function networkCut(description: string, error: unknown): StagingError {
  const { fault } = stagingFault(error, { url: new URL("http://cut.invalid/") });
  return new StagingError(fault, `${description}: the connection broke`, { retryable: true, cause: error });
}
