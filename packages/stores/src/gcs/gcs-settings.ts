import { text, type Setting } from "@kindling/service/settings";

/** Where a bucket of Google Cloud Storage is. */
export interface GcsPlaceSettings {
  readonly "store.gcs.uri": string | undefined;
  readonly "store.gcs.endpoint": string | undefined;
  readonly "store.gcs.credentialsFile": string | undefined;
}

export const GCS_PLACE_KEYS: { readonly [Key in keyof GcsPlaceSettings]: Setting<GcsPlaceSettings[Key]> } = {
  "store.gcs.uri": {
    type: text,
    default: undefined,
    doc: "Bucket of Google Cloud Storage and prefix of all objects, as `gs://bucket/prefix`; the bucket must exist.",
  },
  "store.gcs.endpoint": {
    type: text,
    default: undefined,
    doc:
      "URI of another server with the JSON API, such as a private endpoint or an emulator; unset: Google's own. Over " +
      "plain http, no credentials are sent.",
  },
  "store.gcs.credentialsFile": {
    type: text,
    default: undefined,
    doc:
      "Credentials file of a service account, a workload identity federation, or a user. Unset: what Google's own tools " +
      "use, which is the file that `GOOGLE_APPLICATION_CREDENTIALS` names, the login of `gcloud`, or the metadata " +
      "service, which on GKE gives the pod's workload identity.",
  },
};
