import {
  confType,
  KindlingError,
  optionalConfKey,
  type ConfKey,
  type FileUploads,
  type Identifiers,
  type SparkConf,
} from "@kindling/core-spec";
import { baseName } from "@kindling/steps";
import { filePath } from "../gather/configuration/resolve-uri.ts";

export const FILE_UPLOAD_PATH: ConfKey<string | undefined> = optionalConfKey({
  key: "spark.kubernetes.file.upload.path",
  type: confType.text,
  since: "3.0.0",
  readBy: ["submit"],
  doc: "Where files of the submitter's disk go so that driver and executors can fetch them: a directory as a file: or s3a: URI.",
});

/** One file to be copied before anything is created in the cluster. */
export interface Copy {
  /** The path on the submitter's disk. */
  readonly source: string;
  /** The URI of the copy. */
  readonly destination: string;
}

/** A copy in a directory of its own. */
export interface Upload extends Copy {
  /** Who named it: a configuration key, for errors. */
  readonly purpose: string;
}

/** Where uploads will go, and the list of those that were asked for. */
export interface PlannedUploads extends FileUploads {
  readonly planned: readonly Upload[];
}

/**
 * Plans uploads below `spark.kubernetes.file.upload.path`, each into a directory of its own
 * (KubernetesUtils.uploadFileUri).
 */
export function planUploads(conf: SparkConf, ids: Identifiers): PlannedUploads {
  const planned: Upload[] = [];
  return {
    planned,
    uploadedUri(uri, purpose) {
      const root = conf.get(FILE_UPLOAD_PATH);
      if (root === undefined) {
        throw new KindlingError(
          "CONF_MISSING",
          `${uri} (${purpose}) is on this machine; please specify ${FILE_UPLOAD_PATH.key}`,
          {
            hint: `set it to where driver and executors can fetch files; if the file is in the image, write local://${filePath(uri)}`,
          },
        );
      }
      const destination = `${root}/spark-upload-${ids.uuid(`upload ${planned.length}`)}/${baseName(filePath(uri))}`;
      planned.push({ source: filePath(uri), purpose, destination });
      return destination;
    },
  };
}
