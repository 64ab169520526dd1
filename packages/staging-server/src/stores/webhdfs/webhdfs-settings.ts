import { confType } from "@kindling/core-spec";
import { sizeBytes, text, type Setting } from "@kindling/service/settings";

const { list } = confType;

/** The settings of `webhdfs`. Sizes are bytes. */
export interface WebhdfsSettings {
  readonly "store.webhdfs.endpoints": readonly string[];
  readonly "store.webhdfs.path": string;
  readonly "store.webhdfs.user": string | undefined;
  readonly "store.webhdfs.tokenFile": string | undefined;
  readonly "store.webhdfs.basicAuthFile": string | undefined;
  readonly "store.webhdfs.dataHosts": readonly string[];
  readonly "store.webhdfs.segmentSize": number;
}

export const WEBHDFS_KEYS: { readonly [Key in keyof WebhdfsSettings]: Setting<WebhdfsSettings[Key]> } = {
  "store.webhdfs.endpoints": {
    type: list,
    default: "",
    doc: "URIs of the name nodes' HTTP servers or of HttpFS; the first that is active is used.",
  },
  "store.webhdfs.path": { type: text, default: "/kindling-staging", doc: "Folder in HDFS." },
  "store.webhdfs.user": { type: text, default: undefined, doc: "Value of `user.name`, where HDFS has no security." },
  "store.webhdfs.tokenFile": {
    type: text,
    default: undefined,
    doc: "File with a delegation token, read again when it changes.",
  },
  "store.webhdfs.basicAuthFile": {
    type: text,
    default: undefined,
    doc: "File with `user:password` for a gateway such as Knox, read again when it changes.",
  },
  "store.webhdfs.dataHosts": {
    type: list,
    default: "*",
    doc:
      "Hosts that a name node may redirect this server to, besides its own; `*` stands for any characters. A host " +
      "that is allowed by a pattern with `*`, and not by its whole name, must have a public or a private address.",
  },
  "store.webhdfs.segmentSize": {
    type: confType.checked(sizeBytes, (value) => value >= 1024 * 1024, "a size of at least 1m"),
    default: "128m",
    doc: "How much of an upload can be lost at most when this server is killed.",
  },
};
