import {
  APPLICATION_UPLOAD,
  KindlingError,
  type FileUploads,
  type Identifiers,
  type MainApplication,
  type SparkConf,
  type Step,
} from "@kindling/core-spec";
import { ARCHIVES, baseName, FILES, isSubmitterLocal, JARS, PY_FILES, splitFragment } from "@kindling/steps";
import { FILE_UPLOAD_PATH } from "../keys/upload-keys.ts";
import { SMALL_FILES, SMALL_FILES_MAX_SIZE, STAGING_URI } from "../keys/staging-keys.ts";
import { filePath, pathHere } from "./files/file-path.ts";
import type { GatheredFiles } from "./files/gathered-files.ts";

/** One file to be copied before anything is created in the cluster. */
export interface Copy {
  /** The path on the submitter's disk. */
  readonly source: string;
  /** The URI of the copy. */
  readonly destination: string;
}

/** A copy into a directory of its own. */
export interface Upload extends Copy {
  /** The configuration key that named the file, for errors. */
  readonly purpose: string;
}

/** A local file that pods need, and the key that named it. */
interface LocalUse {
  readonly purpose: string;
  readonly uri: string;
}

/** The uploads of a submission, and what steps need to know about them. */
export interface PlannedUploads {
  readonly uploads: readonly Upload[];
  readonly uris: FileUploads;
}

/**
 * Plans uploads below `spark.kubernetes.file.upload.path`, each into a directory of its own (KubernetesUtils.uploadFileUri):
 * first the lists of dependencies, then the Python application. Only those are uploaded that a step in the chain uses.
 */
export function planUploads(
  conf: SparkConf,
  application: MainApplication,
  steps: readonly Step[],
  ids: Identifiers,
  files: GatheredFiles,
): PlannedUploads {
  const uses = localUses(conf, application, new Set(steps.map(({ name }) => name)));
  const root = conf.get(FILE_UPLOAD_PATH);
  if (root === undefined)
    return { uploads: [], uris: { uploadedUris: (purpose) => refuse(uses, purpose, files, conf) } };
  if (uses.length > 0) refuseHost(root);
  const uploads = uses.map(({ purpose, uri }, index) => ({
    source: filePath(uri),
    purpose,
    destination: `${root}/spark-upload-${ids.uuid(`upload ${index}`)}/${baseName(filePath(uri))}`,
  }));
  return {
    uploads,
    uris: {
      uploadedUris: (wanted) =>
        uploads.filter(({ purpose }) => purpose === wanted).map(({ destination }) => destination),
    },
  };
}

/** Hadoop's local file system accepts no host, not even `localhost` (FileSystem.checkPath). */
function refuseHost(root: string): void {
  const [, host = "", path = ""] = /^file:\/\/([^/]+)(.*)$/i.exec(root) ?? [];
  if (host === "") return;
  throw new KindlingError(
    "CONF_INVALID",
    `${FILE_UPLOAD_PATH.key}: ${root} names ${host} as a machine, and no folder`,
    {
      hint: `a folder of this machine is written file:///${host}${path}, with three slashes`,
    },
  );
}

function localUses(conf: SparkConf, application: MainApplication, steps: ReadonlySet<string>): LocalUse[] {
  const lists = steps.has("file-uploads")
    ? [JARS, FILES, ARCHIVES, PY_FILES].flatMap((key) => conf.get(key).map((uri) => ({ purpose: key.key, uri })))
    : [];
  const own =
    steps.has("driver-command") && application.language === "python"
      ? [{ purpose: APPLICATION_UPLOAD, uri: application.resource }]
      : [];
  return [...lists, ...own]
    .filter(({ uri }) => isSubmitterLocal(uri))
    .map(({ purpose, uri }) => ({ purpose, uri: purpose === APPLICATION_UPLOAD ? uri : splitFragment(uri).location }));
}

function refuse(uses: readonly LocalUse[], wanted: string, files: GatheredFiles, conf: SparkConf): readonly string[] {
  const use = uses.find(({ purpose }) => purpose === wanted);
  if (use === undefined) return [];
  const path = filePath(use.uri);
  const inImage = `if it is in the image, write local://${path}`;
  const found = files.byPath[pathHere(files.cwd, use.uri)];
  if (found !== undefined && !found.isFile && found.files === undefined) {
    throw new KindlingError(
      "FILE_UNREADABLE",
      `${use.uri} (${wanted}) is not on this machine, and ${FILE_UPLOAD_PATH.key} is not set`,
      {
        hint: `correct the path; ${inImage}`,
      },
    );
  }
  throw new KindlingError(
    "CONF_MISSING",
    `${use.uri} (${wanted}) is on this machine; please specify ${FILE_UPLOAD_PATH.key}`,
    {
      hint:
        (fitIntoSecret(uses, files, conf)
          ? `${SMALL_FILES.key}=true puts files as small as these into a Secret; `
          : "") +
        `an installation of Kindling in the cluster (its Helm chart) has a staging server, which brings files into the pods, ` +
        `or ${STAGING_URI.key} names one; ${FILE_UPLOAD_PATH.key} is storage ` +
        `that driver and executors can read, such as s3a://bucket/path or gs://bucket/path; ${inImage}`,
    },
  );
}

/** Whether a Secret could hold all of them: archives are not unpacked from a Secret. */
function fitIntoSecret(uses: readonly LocalUse[], { cwd, byPath }: GatheredFiles, conf: SparkConf): boolean {
  if (uses.some(({ purpose }) => purpose === ARCHIVES.key)) return false;
  const found = uses.map(({ uri }) => byPath[pathHere(cwd, uri)]);
  const total = found.reduce((sum, file) => sum + (file?.isFile === true ? file.size : Infinity), 0);
  return total <= conf.get(SMALL_FILES_MAX_SIZE);
}
