import { expect, test } from "vitest";
import { formatProperties } from "@kindling/core-spec";
import { parseForkProperties } from "../../src/config/fork-properties.ts";

const INIT = "spark.kubernetes.initcontainer";
const SSL = "spark.ssl.kubernetes.resourceStagingServer";

// The properties that the fork's SubmittedDependencyInitContainerConfigPlugin and its SSL plug-in write.
const FULL = {
  "spark.kubernetes.resourceStagingServer.uri": "http://outside:31000",
  "spark.kubernetes.resourceStagingServer.internal.uri": "https://inside:10000",
  "spark.kubernetes.mountdependencies.jarsDownloadDir": "/data/jars",
  "spark.kubernetes.mountdependencies.filesDownloadDir": "/data/files",
  "spark.kubernetes.mountdependencies.mountTimeout": "10",
  [`${INIT}.downloadJarsResourceIdentifier`]: "jars-id",
  [`${INIT}.downloadJarsSecretLocation`]: "/mnt/secrets/spark-init/downloadSubmittedJarsSecret",
  [`${INIT}.downloadFilesResourceIdentifier`]: "files-id",
  [`${INIT}.downloadFilesSecretLocation`]: "/mnt/secrets/spark-init/downloadSubmittedFilesSecret",
  [`${INIT}.remoteJars`]: "http://repo/lib/a.jar,hdfs://nn:8020/b%20c.jar",
  [`${INIT}.remoteFiles`]: "https://repo/data.csv?version=3",
  [`${SSL}.internal.enabled`]: "true",
  [`${SSL}.internal.clientCertPem`]: "/mnt/secrets/spark-init/ssl-certificate",
};

function parse(properties: Readonly<Record<string, string>>): ReturnType<typeof parseForkProperties> {
  return parseForkProperties(formatProperties(properties, "Java properties"), "/etc/spark-init/spark-init.properties");
}

test("the fork's properties say what to bring where", () => {
  const config = parse(FULL);
  expect(config.bundles.get("jars")).toMatchObject({
    server: "https://inside:10000",
    id: "jars-id",
    protocol: "v0",
    secretFile: "/mnt/secrets/spark-init/downloadSubmittedJarsSecret",
    caFile: "/mnt/secrets/spark-init/ssl-certificate",
  });
  expect(config.files.map(({ from, to, mode }) => [from, to, mode])).toEqual([
    [{ kind: "whole-bundle", bundle: "jars" }, "/data/jars", undefined],
    [{ kind: "remote", uri: "http://repo/lib/a.jar" }, "/data/jars/a.jar", 0o755],
    [{ kind: "remote", uri: "hdfs://nn:8020/b%20c.jar" }, "/data/jars/b c.jar", 0o755],
    [{ kind: "whole-bundle", bundle: "files" }, "/data/files", undefined],
    [{ kind: "remote", uri: "https://repo/data.csv?version=3" }, "/data/files/data.csv", 0o755],
  ]);
  expect(config).toMatchObject({ deadlineSeconds: 600, roots: ["/data/jars", "/data/files"] });
});

test("the fork's defaults count", () => {
  const config = parse({
    "spark.kubernetes.resourceStagingServer.uri": "http://server:10000",
    [`${INIT}.downloadJarsResourceIdentifier`]: "id",
  });
  expect(config.bundles.get("jars")).toMatchObject({
    server: "http://server:10000",
    secretFile: "/mnt/secrets/spark-init/downloadSubmittedJarsSecret",
    caFile: undefined,
  });
  expect(config).toMatchObject({ deadlineSeconds: 300, files: [{ to: "/var/spark-data/spark-jars" }] });
});

test("with nothing to bring there is nothing to do", () => {
  expect(parse({ "spark.app.name": "x" }).files).toEqual([]);
});

test.each([
  ["90s", 90],
  ["2m", 120],
  ["1h", 3600],
])("a mount timeout of %s is %d seconds", (mountTimeout, seconds) => {
  expect(parse({ "spark.kubernetes.mountdependencies.mountTimeout": mountTimeout }).deadlineSeconds).toBe(seconds);
});

test.each<[Record<string, string>, string]>([
  [
    { [`${INIT}.downloadJarsResourceIdentifier`]: "id" },
    "spark.kubernetes.resourceStagingServer.internal.uri is missing",
  ],
  [{ [`${INIT}.remoteJars`]: "ftp://h/x.jar" }, `${INIT}.remoteJars has an entry that has the scheme ftp`],
  [{ [`${INIT}.remoteJars`]: "http://h/" }, `${INIT}.remoteJars has an entry whose path does not end`],
  [{ [`${INIT}.remoteFiles`]: "http://h/%2e%2e" }, `${INIT}.remoteFiles has an entry whose path does not end`],
  [{ [`${INIT}.remoteFiles`]: "http://h/a%2Fb" }, `${INIT}.remoteFiles has an entry whose path does not end`],
  [{ [`${INIT}.remoteJars`]: "http://h/a.jar,http://g/a.jar" }, "is the target of files[0] too"],
  [{ "spark.kubernetes.mountdependencies.mountTimeout": "soon" }, "mountTimeout must be a positive duration"],
  [{ ...FULL, [`${SSL}.internal.trustStore`]: "/x.jks" }, "trustStore is a Java key store, which cannot be read here"],
])("%o is refused: %s", (properties, problem) => {
  expect(() => parse(properties)).toThrow(problem);
  expect(() => parse(properties)).toThrow("/etc/spark-init/spark-init.properties");
});

test("properties that Java would refuse are refused with the line", () => {
  expect(() => parseForkProperties("a=b\nc=\\u12", "x.properties")).toThrow("x.properties: line 2");
});
