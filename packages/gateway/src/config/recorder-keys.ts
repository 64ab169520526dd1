import { confType } from "@kindling/core-spec";
import { type Settings, text } from "@kindling/service/settings";

/** Settings of the recorder that keeps what remains of applications. */
export interface RecorderSettings {
  readonly "recorder.uri": string | undefined;
  readonly "recorder.tokenFile": string | undefined;
  readonly "recorder.caFile": string | undefined;
  readonly "recorder.settingsFile": string | undefined;
}

/** Where the recorder is, and how it is asked. */
export type RecorderAddress = Pick<RecorderSettings, "recorder.uri" | "recorder.tokenFile" | "recorder.caFile">;

export const RECORDER_KEYS: Settings<RecorderSettings> = {
  "recorder.uri": {
    type: confType.checked(text, isRecorderUri, "an https URI without a path, or http://127.0.0.1:PORT"),
    default: undefined,
    doc:
      "The recorder. If set, the pod of an executor that has ended is deleted only when the recorder has read its log, at most " +
      "5 s after its driver wants that. The driver does not wait. The page for people who sign in then shows what is kept of " +
      "ended applications, to those who may get pods/log in their namespaces. Unset: such a pod is deleted at once, and there " +
      "is no history.",
  },
  "recorder.tokenFile": {
    type: text,
    default: undefined,
    doc:
      "File with a token of the gateway's account for the recorder alone, read again for each question. Unset: the recorder " +
      "asks for none.",
  },
  "recorder.caFile": {
    type: text,
    default: undefined,
    doc: "Certificates as PEM that the recorder's is signed by, besides those that everybody trusts. It is read again when it changes.",
  },
  "recorder.settingsFile": {
    type: text,
    default: undefined,
    doc:
      "Settings of a recorder that runs inside of this process, as a properties file of `kindling-recorder`. It has ports of its " +
      "own, and uses the gateway's account, which then needs the recorder's rights, too. Where that file names no kubeconfig or " +
      "no namespaces, those of the gateway apply. `recorder.uri` may be left out if that recorder serves without TLS. Unset: " +
      "the recorder, if there is one, is a process of its own.",
  },
};

/** What is wrong with the settings together; undefined if nothing is wrong. */
export function recorderFault(config: RecorderSettings): string | undefined {
  if (config["recorder.uri"] !== undefined || config["recorder.settingsFile"] !== undefined) return undefined;
  const useless = (["recorder.tokenFile", "recorder.caFile"] as const).find((key) => config[key] !== undefined);
  return useless && `${useless} is set, and recorder.uri is not: nothing would use it`;
}

/** A token must not be read on its way. */
function isRecorderUri(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, hostname, pathname, search, hash } = new URL(value);
  const isLocal = protocol === "http:" && (hostname === "localhost" || hostname === "127.0.0.1");
  return (protocol === "https:" || isLocal) && pathname === "/" && search === "" && hash === "";
}
