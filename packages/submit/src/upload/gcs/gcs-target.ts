import { KindlingError, type SparkConf } from "@kindling/core-spec";
import { gcsBucket, GOOGLE_ENDPOINT, googleCredentials, googleFile, googleSources } from "@kindling/object-store/gcs";
import { readIfThere, type ObjectPlace, type UploadTarget } from "../bucket/upload-files.ts";
import type { UploadOutside } from "../upload-outside.ts";

// The connector's key from version 3 on, Spark's own of Hadoop 3.4, and the older one ("Configuration properties").
const KEY_FILES = [
  "spark.hadoop.fs.gs.auth.service.account.json.keyfile",
  "spark.hadoop.google.cloud.auth.service.account.json.keyfile",
];
const ENDPOINT = "spark.hadoop.fs.gs.storage.root.url";

/**
 * Google Cloud Storage, as `gs://bucket/key`. The keys are those of Google's connector for Hadoop; without a key file, the
 * credentials are those of Google's own tools.
 */
export function gcsTarget(conf: SparkConf, { clock, random, env }: UploadOutside): UploadTarget {
  const keyFile = KEY_FILES.find((key) => conf.raw(key));
  return {
    place,
    open(uri, transport) {
      const path = keyFile && conf.raw(keyFile);
      const sources = keyFile !== undefined && path ? [googleFile(keyFile, path)] : googleSources();
      const endpoint = endpointOf(conf);
      const credentials = googleCredentials(
        sources,
        { clock, env, transport, readFile: readIfThere },
        "run gcloud auth application-default login, or set GOOGLE_APPLICATION_CREDENTIALS",
      );
      return gcsBucket({
        bucket: place(uri).bucket,
        endpoint,
        // An emulator needs none, and a token is not sent without TLS.
        credentials: endpoint.protocol === "http:" ? undefined : credentials,
        connection: { clock, random, transport },
      });
    },
    hints: { unreachable: `${ENDPOINT} says where the store is, if it is not Google's own` },
  };
}

function endpointOf(conf: SparkConf): URL {
  const text = conf.raw(ENDPOINT) || GOOGLE_ENDPOINT;
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return new URL(text);
  throw new KindlingError("CONF_INVALID", `${ENDPOINT}: ${text} is no http or https URL`);
}

function place(uri: string): ObjectPlace {
  const [, bucket, key] = /^gs:\/\/([^/]+)\/+(.+)$/.exec(uri) ?? [];
  if (bucket !== undefined && key !== undefined) return { bucket, key };
  throw new KindlingError("CONF_INVALID", `${uri} names no bucket`, {
    hint: "write gs://BUCKET/PREFIX in spark.kubernetes.file.upload.path",
  });
}
