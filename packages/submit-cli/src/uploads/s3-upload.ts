import type { SparkConf } from "@kindling/core-spec";
import type { Upload } from "../plan/uploads.ts";

export async function uploadToS3(
  _file: Upload,
  _conf: SparkConf,
  _env: (name: string) => string | undefined,
  _signal: AbortSignal | undefined,
): Promise<void> {
  throw new Error("not there yet");
}
