import { caughtFrom } from "@kindling/test-kit/caught";
import { expect, it } from "vitest";
import { fileSystemsOf } from "../../src/hadoop/file-system.ts";
import { hadoopConfiguration } from "../../src/hadoop/hadoop-configuration.ts";

/** The file systems of a URI: name, service, and where it is asked. */
function asked(uri: string, properties: Readonly<Record<string, string>> = {}): unknown[] {
  const conf = hadoopConfiguration(new Map(Object.entries(properties)));
  return fileSystemsOf(uri, conf, "fs.defaultFS").fileSystems.map(({ service, nameNodes }) => [
    typeof service === "string" ? service : `${service.host}:${service.port}`,
    nameNodes.map(({ origin }) => origin).join(" "),
  ]);
}

const HA = {
  "dfs.nameservices": "ns1,ns2",
  "dfs.ha.namenodes.ns1": "nn1,nn2",
  "dfs.ha.namenodes.ns2": "a,b",
  "dfs.client.failover.proxy.provider.ns1": "org.apache.hadoop.hdfs.server.namenode.ha.ConfiguredFailoverProxyProvider",
  "dfs.namenode.rpc-address.ns1.nn1": "nn1.example.com:8020",
  "dfs.namenode.rpc-address.ns1.nn2": "nn2.example.com:8020",
  "dfs.namenode.http-address.ns1.nn1": "nn1.example.com:9870",
  "dfs.namenode.http-address.ns1.nn2": "0.0.0.0:50070",
  "dfs.namenode.https-address.ns1.nn1": "nn1.example.com:9871",
  "dfs.namenode.rpc-address.ns2.a": "a.example.com:8020",
};

it.each<[string, Readonly<Record<string, string>>, string, string]>([
  ["hdfs://nn.example.com:9000", {}, "nn.example.com:9000", "http://nn.example.com:9870"],
  ["hdfs://NN.example.com/path", {}, "nn.example.com:8020", "http://nn.example.com:9870"],
  ["hdfs://nn:80", {}, "nn:80", "http://nn:9870"],
  ["hdfs://nn:8020", { "dfs.http.policy": "HTTPS_ONLY" }, "nn:8020", "https://nn:9871"],
  // A configuration as the ones of small clusters: one address, for one name node.
  [
    "hdfs://nn:8020",
    { "fs.defaultFS": "hdfs://nn:8020", "dfs.namenode.http-address": "web.example.com:50070" },
    "nn:8020",
    "http://web.example.com:50070",
  ],
  // Another cluster's name node has not the own one's address.
  [
    "hdfs://far.example.org:8020",
    {
      "fs.defaultFS": "hdfs://nn:8020",
      "dfs.namenode.rpc-address": "nn:8020",
      "dfs.namenode.http-address": "nn:50070",
    },
    "far.example.org:8020",
    "http://far.example.org:50070",
  ],
  ["hdfs://ns1", HA, "ha-hdfs:ns1", "http://nn1.example.com:9870 http://nn2.example.com:50070"],
  [
    "hdfs://ns1/user",
    { ...HA, "dfs.http.policy": "https_only" },
    "ha-hdfs:ns1",
    "https://nn1.example.com:9871 https://nn2.example.com:9871",
  ],
  ["hdfs://nn2.example.com:8020", HA, "nn2.example.com:8020", "http://nn2.example.com:50070"],
  ["hdfs://a.example.com", HA, "a.example.com:8020", "http://a.example.com:9870"],
  ["webhdfs://nn:50070/x", {}, "nn:50070", "http://nn:50070"],
  ["webhdfs://nn:80", {}, "nn:80", "http://nn"],
  ["swebhdfs://nn", {}, "nn:9871", "https://nn:9871"],
  ["webhdfs://ns1", HA, "ha-webhdfs:ns1", "http://nn1.example.com:9870 http://nn2.example.com:50070"],
  [
    "hdfs:///user",
    { ...HA, "fs.defaultFS": "hdfs://ns1" },
    "ha-hdfs:ns1",
    "http://nn1.example.com:9870 http://nn2.example.com:50070",
  ],
])("%s with %j has tokens for %s, from %s", (uri, properties, service, places) => {
  expect(asked(uri, properties)).toStrictEqual([[service, places]]);
});

it("asks for the tokens of all targets of a view, once each", () => {
  const properties = {
    ...HA,
    "fs.viewfs.mounttable.all.link./data": "hdfs://ns1/data",
    "fs.viewfs.mounttable.all.link./home": "hdfs://ns1/home",
    "fs.viewfs.mounttable.all.linkFallback": "hdfs://nn:8020/",
    "fs.viewfs.mounttable.all.link./tmp": "file:///tmp",
    "fs.viewfs.mounttable.other.link./x": "hdfs://other:8020/",
  };
  expect(asked("viewfs://all/", properties)).toStrictEqual([
    ["ha-hdfs:ns1", "http://nn1.example.com:9870 http://nn2.example.com:50070"],
    ["nn:8020", "http://nn:9870"],
  ]);
});

it.each(["file:///", "s3a://bucket/", "abfs://c@account.dfs.core.windows.net/"])("%s has no tokens", (uri) => {
  const conf = hadoopConfiguration(new Map());
  expect(fileSystemsOf(uri, conf, "fs.defaultFS")).toStrictEqual({ fileSystems: [], others: [] });
});

it("tells of file systems with tokens of another kind", () => {
  const conf = hadoopConfiguration(new Map([["fs.s3a.delegation.token.binding", "org.example.Binding"]]));
  expect(fileSystemsOf("s3a://bucket/x", conf, "x").others).toStrictEqual(["s3a://bucket"]);
  expect(fileSystemsOf("ofs://ozone1/", conf, "x").others).toStrictEqual(["ofs://ozone1"]);
});

it.each(["nn:8020", "nn", "hdfs:nn"])("refuses %s, which is no URI", (text) => {
  const conf = hadoopConfiguration(new Map());
  expect(caughtFrom(() => fileSystemsOf(text, conf, "spark.kerberos.access.hadoopFileSystems")).message).toBe(
    `spark.kerberos.access.hadoopFileSystems: ${text} is no URI of a file system`,
  );
});
