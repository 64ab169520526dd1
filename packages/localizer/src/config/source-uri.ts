import { ConfigFault, type Reader } from "./readers.ts";

const SCHEMES = ["http", "https", "s3", "s3a", "hdfs", "webhdfs", "swebhdfs"] as const;

const HINTS: Readonly<Record<string, string>> = {
  file: "a file of the submitter has to be staged, one of the image needs no localizing",
  local: "a file of the image needs no localizing",
  gs: "use the bucket's S3 endpoint, or an https address",
  abfs: "use an https address",
  abfss: "use an https address",
  wasbs: "use an https address",
  ftp: "use an https address",
};

/** The URI of a remote file that can be fetched here. */
export const sourceUri: Reader<string> = {
  type: `a URI of ${SCHEMES.slice(0, -1).join(", ")} or ${SCHEMES.at(-1)}`,
  read(value, at) {
    if (typeof value !== "string" || value === "") throw new ConfigFault(at, "must be a URI");
    const [, scheme = ""] = /^([a-z][a-z0-9+.-]*):/i.exec(value) ?? [];
    if (scheme === "") throw new ConfigFault(at, "must be a URI with a scheme");
    const known = SCHEMES.find((each) => each === scheme.toLowerCase());
    if (known === undefined) {
      const hint = HINTS[scheme.toLowerCase()];
      const what = `has the scheme ${scheme}, which cannot be fetched; supported are ${SCHEMES.join(", ")}`;
      throw new ConfigFault(at, hint === undefined ? what : `${what}; ${hint}`);
    }
    // S3 and HDFS names follow other rules than URLs: the code that uses them parses them.
    const shape = known === "http" || known === "https" ? value : value.replace(/^[^:]*:/, "http:");
    if (!URL.canParse(shape) || !/^[^:]*:\/\/[^/]/.test(value)) throw new ConfigFault(at, "is not a valid URI");
    const { username, password, pathname, search, hash } = new URL(shape);
    if (username !== "" || password !== "") {
      throw new ConfigFault(at, "has a user or password in it; put those into the netrc file of credentialsDir");
    }
    if (hash !== "") throw new ConfigFault(at, "has a fragment; a # in a name is written as %23");
    if (known !== "http" && known !== "https") {
      if (pathname === "/") throw new ConfigFault(at, "names no file");
      if (search !== "") throw new ConfigFault(at, "has a query; a ? in a name is written as %3F");
    }
    return value;
  },
};
