import {
  confKey,
  type ConfKey,
  confType,
  isDnsSubdomain,
  isServiceAudience,
  optionalConfKey,
} from "@kindling/core-spec";

/** The keys that say where the recorder is. Commands that read what it keeps use them; submissions do not. */

export const RECORDER_URI: ConfKey<string | undefined> = optionalConfKey({
  key: "spark.kindling.recorder.uri",
  type: confType.text,
  since: "3.5.0",
  readBy: ["submit"],
  doc: "The URI at which commands reach the recorder, which keeps logs and more of applications whose pods are gone: an https URI, or k8s+https://NAMESPACE/SERVICE:PORT for a service that is reached through the API server, with the API server's credentials. If unset, the installation's.",
});

export const RECORDER_SERVICE_ACCOUNT: ConfKey<string> = confKey({
  key: "spark.kindling.recorder.serviceAccount",
  type: confType.checked(confType.text, isDnsSubdomain, "the name of a service account"),
  default: "kindling-reader",
  since: "3.5.0",
  readBy: ["submit"],
  doc: "A service account of the application's namespace that may read the logs of its pods. Commands make a token of it, which lets them read what the recorder keeps of this namespace. Whoever may create tokens of it may read.",
});

export const RECORDER_AUDIENCE: ConfKey<string> = confKey({
  key: "spark.kindling.recorder.audience",
  type: confType.checked(
    confType.text,
    isServiceAudience,
    "a name without blanks and commas that is not the API server's own",
  ),
  default: "kindling-recorder",
  since: "3.5.0",
  readBy: ["submit"],
  doc: "The audience of that token, one of the recorder's auth.audiences. Nobody else accepts this token.",
});

export const RECORDER_KEYS: readonly ConfKey<unknown>[] = [RECORDER_URI, RECORDER_SERVICE_ACCOUNT, RECORDER_AUDIENCE];
