import { constants } from "node:fs";
import { copyFile, mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { KindlingError, messageOf, type SparkConf } from "@kindling/core-spec";
import { schemeOf } from "@kindling/steps";
import { filePath } from "../conf/resolve-uri.ts";
import { FILE_UPLOAD_PATH, type Upload } from "../plan/uploads.ts";

/**
 * Copies one file to where driver and executors will fetch it: another directory of this machine (`file:`), or an
 * S3-compatible store (`s3a:`, `s3:`).
 *
 * @throws KindlingError `URI_UNSUPPORTED` for any other scheme, `UPLOAD_FAILED` with the reason
 */
export async function upload(
  file: Upload,
  conf: SparkConf,
  env: (name: string) => string | undefined,
  signal: AbortSignal | undefined,
): Promise<void> {
  const scheme = schemeOf(file.destination) ?? "file";
  try {
    switch (scheme) {
      case "file":
        await copy(file);
        return;
      case "s3":
      case "s3a":
      case "s3n":
        await (await import("./s3/upload-to-s3.ts")).uploadToS3(file, conf, env, signal);
        return;
      default:
        throw new KindlingError(
          "URI_UNSUPPORTED",
          `${FILE_UPLOAD_PATH.key}: files cannot be uploaded to ${scheme}: from here`,
          {
            hint: "supported are file: and s3a: (any S3-compatible store)",
          },
        );
    }
  } catch (error) {
    if (error instanceof KindlingError && error.code !== "UPLOAD_FAILED") throw error;
    throw new KindlingError(
      "UPLOAD_FAILED",
      `uploading ${file.source} to ${file.destination} failed: ${messageOf(error)}`,
      { cause: error, ...(error instanceof KindlingError && error.hint !== undefined && { hint: error.hint }) },
    );
  }
}

async function copy({ source, destination }: Upload): Promise<void> {
  const target = filePath(destination);
  await mkdir(dirname(target), { recursive: true });
  await copyFile(source, target, constants.COPYFILE_FICLONE);
}
