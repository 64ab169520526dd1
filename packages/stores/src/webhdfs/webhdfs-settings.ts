import { confType } from "@kindling/core-spec";
import { text, type Setting } from "@kindling/service/settings";

/** How HDFS is reached, by WebHDFS or HttpFS. */
export interface WebhdfsPlaceSettings {
  readonly "store.webhdfs.endpoints": readonly string[];
  readonly "store.webhdfs.path": string;
  readonly "store.webhdfs.user": string | undefined;
  readonly "store.webhdfs.tokenFile": string | undefined;
  readonly "store.webhdfs.basicAuthFile": string | undefined;
  readonly "store.webhdfs.dataHosts": readonly string[];
}

type WebhdfsPlaceKeys = { readonly [Key in keyof WebhdfsPlaceSettings]: Setting<WebhdfsPlaceSettings[Key]> };

/** @param folder the default of `store.webhdfs.path` */
export function webhdfsPlaceKeys(folder: string): WebhdfsPlaceKeys {
  return { ...KEYS, "store.webhdfs.path": { type: text, default: folder, doc: "Folder in HDFS." } };
}

const KEYS: WebhdfsPlaceKeys = {
  "store.webhdfs.endpoints": {
    type: confType.list,
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
    type: confType.list,
    default: "*",
    doc:
      "Hosts that a name node may redirect this server to, besides its own; `*` stands for any characters. A host " +
      "that is allowed by a pattern with `*`, and not by its whole name, must have a public or a private address.",
  },
};
