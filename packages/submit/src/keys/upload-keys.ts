import { confType, optionalConfKey, type ConfKey } from "@kindling/core-spec";

export const FILE_UPLOAD_PATH: ConfKey<string | undefined> = optionalConfKey({
  key: "spark.kubernetes.file.upload.path",
  type: confType.text,
  since: "3.0.0",
  readBy: ["submit"],
  doc: "Where files of the submitter's disk are uploaded, so that driver and executors can fetch them: a directory as a file:, s3a:, gs: or abfss: URI.",
});
