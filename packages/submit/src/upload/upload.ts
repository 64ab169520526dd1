import { constants } from "node:fs";
import { access, copyFile, mkdir, readdir, stat } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { KindlingError, messageOf, type SparkConf } from "@kindling/core-spec";
import { schemeOf } from "@kindling/steps";
import { FILE_UPLOAD_PATH } from "../keys/upload-keys.ts";
import { hadoopPath } from "../plan/files/file-path.ts";
import type { Copy, Upload } from "../plan/uploads.ts";
import type { UploadTarget } from "./bucket/upload-files.ts";
import type { UploadOutside } from "./upload-outside.ts";

/**
 * Checks whether everything exists before anything is copied.
 *
 * @throws KindlingError `FILE_UNREADABLE`
 */
export async function checkUploads(uploads: readonly Upload[]): Promise<void> {
  for (const { source, purpose } of uploads) {
    try {
      await access(source, constants.R_OK);
      await refuseUnreadable(source);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      const why = code === "ENOENT" ? "does not exist" : `cannot be read: ${messageOf(error)}`;
      throw new KindlingError("FILE_UNREADABLE", `${source} (${purpose}) ${why}`, { cause: error });
    }
  }
}

/**
 * Copies one file, or a directory with everything in it, to where driver and executors will fetch it: another directory of
 * this machine (`file:`), an S3-compatible store (`s3a:`, `s3:`), Google Cloud Storage (`gs:`), or Azure Data Lake Storage
 * (`abfss:` and its older names).
 *
 * @throws KindlingError `URI_UNSUPPORTED` for any other scheme, `UPLOAD_FAILED` with the reason
 */
export async function upload(
  file: Copy,
  conf: SparkConf,
  outside: UploadOutside,
  signal: AbortSignal | undefined,
): Promise<void> {
  const scheme = schemeOf(file.destination) ?? "file";
  try {
    if (scheme === "file") {
      for await (const each of filesOf(file)) await copy(each);
      return;
    }
    const target = await targetFor(scheme, conf, outside);
    const { uploadFiles } = await import("./bucket/upload-files.ts");
    await uploadFiles(filesOf(file), target, outside, signal);
  } catch (error) {
    if (error instanceof KindlingError && error.code !== "UPLOAD_FAILED") throw error;
    throw new KindlingError(
      "UPLOAD_FAILED",
      `uploading ${file.source} to ${file.destination} failed: ${messageOf(error)}`,
      { cause: error, ...(error instanceof KindlingError && error.hint !== undefined && { hint: error.hint }) },
    );
  }
}

async function targetFor(scheme: string, conf: SparkConf, outside: UploadOutside): Promise<UploadTarget> {
  switch (scheme) {
    case "s3":
    case "s3a":
    case "s3n":
      return (await import("./s3/s3-target.ts")).s3Target(conf, outside);
    case "gs":
      return (await import("./gcs/gcs-target.ts")).gcsTarget(conf, outside);
    case "abfs":
    case "abfss":
    case "wasb":
    case "wasbs":
      return (await import("./azure/azure-target.ts")).azureTarget(conf, outside);
    default:
      throw new KindlingError(
        "URI_UNSUPPORTED",
        `${FILE_UPLOAD_PATH.key}: files cannot be uploaded to ${scheme}: from here`,
        { hint: "supported are file:, s3a: (any S3-compatible store), gs: and abfss:" },
      );
  }
}

/** Opening a pipe or a device could wait for ever. */
async function refuseUnreadable(path: string): Promise<void> {
  const status = await stat(path);
  if (!status.isFile() && !status.isDirectory()) throw new Error("it is neither a regular file nor a directory");
}

/** The file itself, or all files below a directory (Hadoop's `FileSystem.copyFromLocalFile` reads both). */
async function* filesOf(file: Copy): AsyncGenerator<Copy> {
  const { source, destination } = file;
  if (!(await stat(source)).isDirectory()) {
    yield file;
    return;
  }
  for (const entry of await readdir(source, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isDirectory()) continue;
    await refuseUnreadable(path);
    yield { source: path, destination: `${destination}/${relative(source, path)}` };
  }
}

async function copy({ source, destination }: Copy): Promise<void> {
  const target = hadoopPath(destination);
  await mkdir(dirname(target), { recursive: true });
  await copyFile(source, target, constants.COPYFILE_FICLONE);
}
