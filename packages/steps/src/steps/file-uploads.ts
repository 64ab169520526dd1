import { confKey, confType, type ConfKey, type Step } from "@kindling/core-spec";
import { isSubmitterLocal, splitFragment } from "../uris.ts";
import { withSparkConf } from "../spark-pod.ts";

const { list } = confType;

function dependencyKey(key: string, since: string, doc: string): ConfKey<readonly string[]> {
  return confKey({ key, type: list, default: "", since, readBy: ["submit", "driver"], doc });
}

export const JARS: ConfKey<readonly string[]> = dependencyKey(
  "spark.jars",
  "0.9.0",
  "Jars for the class paths of driver and executors. --jars replaces it. The application's own jar is added.",
);
export const FILES: ConfKey<readonly string[]> = dependencyKey(
  "spark.files",
  "1.0.0",
  "Files for the working directory of each executor. --files replaces it.",
);
export const ARCHIVES: ConfKey<readonly string[]> = dependencyKey(
  "spark.archives",
  "3.1.0",
  "Archives to unpack in the working directory of each executor, under the name after '#'. --archives replaces it.",
);
export const PY_FILES: ConfKey<readonly string[]> = dependencyKey(
  "spark.submit.pyFiles",
  "1.0.1",
  "Python files and archives for the PYTHONPATH of Python applications. --py-files replaces it.",
);

/**
 * Changes the lists of dependencies to the places where files of the submitter's disk will be after their upload. Counterpart
 * of the second half of `BasicDriverFeatureStep`: local files come first, remote ones follow, and a list without a local file
 * stays unchanged. Files in spark.files lose their fragment, as in Spark; archives keep theirs.
 */
export const fileUploads: Step = {
  name: "file-uploads",
  keys: [JARS, FILES, ARCHIVES, PY_FILES],
  overrides: [JARS, FILES, ARCHIVES, PY_FILES].map((key) => `driverSparkConf[${key.key}]`),
  configureDriver(spec, submission) {
    const changed: Record<string, string> = {};
    for (const key of [JARS, FILES, ARCHIVES, PY_FILES]) {
      const uris = submission.conf.get(key);
      const local = uris.filter(isSubmitterLocal);
      if (local.length === 0) continue;
      const uploaded = submission.uploads
        .uploadedUris(key.key)
        .map((uri, index) => (key === ARCHIVES ? archiveUri(uri, splitFragment(local[index] ?? "").fragment) : uri));
      changed[key.key] = [...uploaded, ...uris.filter((uri) => !isSubmitterLocal(uri))].join(",");
    }
    return Object.keys(changed).length === 0 ? spec : withSparkConf(spec, changed);
  },
};

/**
 * An archive's URI in the form of JAX-RS's `UriBuilder`, which Spark uses: an empty authority is removed, and characters that
 * are not allowed in a URI are encoded; an existing `%41` stays. Measured with 3.5.9 and 4.3.0.
 */
function archiveUri(uploaded: string, fragment: string | undefined): string {
  const location = encoded(uploaded.replace(/^([a-zA-Z][a-zA-Z0-9+.-]*:)\/\/(?=\/)/, "$1"));
  if (fragment === undefined || fragment === "") return location;
  return `${location}#${encoded(decoded(fragment)).replaceAll("?", "%3F")}`;
}

function encoded(text: string): string {
  return text.replaceAll(/%(?![0-9A-Fa-f]{2})|[^-A-Za-z0-9._~!$&'()*+,;=:@/?%]/gu, encodeURIComponent);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
