import { messageOf } from "@kindling/core-spec";
import { isStagingError, StagingError, type HttpResponse, type HttpTransport } from "@kindling/staging-client";

const MOST_BYTES = 1024 * 1024;

/** The text of a short body; of a long one, its beginning. @throws where it breaks or stops */
export async function readDocument({ body }: HttpResponse, { clock, stallTimeoutMs }: HttpTransport): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const cancel = clock.after(stallTimeoutMs, () =>
    body.destroy(new StagingError("stalled", "the answer stopped", { retryable: true })),
  );
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > MOST_BYTES) break;
    }
  } catch (error) {
    if (isStagingError(error)) throw error;
    throw new StagingError("connect", `the answer broke off: ${messageOf(error)}`, { retryable: true, cause: error });
  } finally {
    cancel();
  }
  return Buffer.concat(chunks).toString("utf8");
}
