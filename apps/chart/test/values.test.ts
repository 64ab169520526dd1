import { describe, expect, test } from "vitest";
import { hasHelm, WHERE_HELM_IS } from "../src/helm.ts";
import { render, type Values } from "../src/render.ts";
import { CONNECT } from "../src/variants.ts";

/** Wrong values, and what their author must be told. */
const REFUSED: Readonly<Record<string, readonly [values: Values, said: RegExp]>> = {
  "a value that there is not": [{ "staging.replica": 1 }, /'\/staging': additional properties 'replica' not allowed/],
  "a section that there is not": [{ stagin: {} }, /additional properties 'stagin' not allowed/],
  "a setting that there is not": [
    { "staging.settings": { "lease.tll": "1h" } },
    /'\/staging\/settings': additional properties 'lease.tll' not allowed/,
  ],
  "a kind of storage": [
    { "staging.storage.kind": "nfs" },
    /storage\/kind.*'volume', 'emptyDir', 's3', 'gcs', 'adls', 'webhdfs'/,
  ],
  "a size": [{ "staging.storage.volume.size": "20 GB" }, /volume\/size.*'20 GB' does not match pattern/],
  "a namespace": [{ namespaces: ["Spark_Jobs"] }, /'\/namespaces\/0': 'Spark_Jobs' does not match pattern/],
  "no replicas": [{ "gateway.replicas": 0 }, /'\/gateway\/replicas': minimum: got 0, want 1/],
  "a principal without a keytab": [
    { "gateway.kerberos.principal": "kindling@EXAMPLE.COM" },
    /gateway\.kerberos\.keytabSecret must be set, because gateway\.kerberos\.principal is/,
  ],
  "a mode of TLS": [{ "tls.mode": "none" }, /'\/tls\/mode': value must be one of/],
  "a key of Spark's": [
    { properties: { "spark.executor.memory": "1g" } },
    /'\/properties': additional properties 'spark.executor.memory' not allowed/,
  ],
  "a subject without a name": [{ submitters: [{ kind: "Group" }] }, /'\/submitters\/0': missing property 'name'/],
  "a queue's weight": [
    { queues: [{ name: "etl", weight: 0 }] },
    /'\/queues\/0\/weight': exclusiveMinimum: got 0, want 0/,
  ],
  "a resource that there is not": [
    { queues: [{ name: "etl", children: [{ name: "daily", ceiling: { vcore: 4 } }] }] },
    /'\/queues\/0\/children\/0\/ceiling': additional properties 'vcore' not allowed/,
  ],
  "a queue's floor": [{ queues: [{ name: "etl", floor: 0 }] }, /'\/queues\/0\/floor': /],
  "what may be asked of a queue": [
    { queues: [{ name: "etl", preemption: "sometimes" }] },
    /'\/queues\/0\/preemption': value must be one of 'any', 'graceful', 'never'/,
  ],
  "a queue without a name": [{ queues: [{ name: "etl", children: [{}] }] }, /children\/0': missing property 'name'/],
  "a queue's name": [{ queues: [{ name: "ETL!" }] }, /'\/queues\/0\/name': 'ETL!' does not match pattern/],
  "a queue's long name": [{ queues: [{ name: "q".repeat(64) }] }, /'\/queues\/0\/name': maxLength: got 64, want 63/],
  "a queue's namespaces": [
    { queues: [{ name: "etl", namespaces: ["ETL"] }] },
    /'\/queues\/0\/namespaces\/0': 'ETL' does not match pattern/,
  ],
  "a queue's selector": [
    { queues: [{ name: "etl", namespaces: { matchExpressions: [{ key: "a", operator: "In" }] } }] },
    /'\/queues\/0\/namespaces\/matchExpressions\/0': missing property 'values'/,
  ],
  "two queues of one name": [
    { queues: [{ name: "etl", children: [{ name: "a" }, { name: "b" }, { name: "a" }] }] },
    /queues: there are two queues etl.a: give one of them another name/,
  ],
  "a queue's long path": [
    { queues: [{ name: "q".repeat(40), children: [{ name: "r".repeat(40) }] }] },
    /queue q+\.r+: applications cannot name it, since labels have at most 63 characters/,
  ],
  "guarantees of children above their queue's": [
    { queues: [{ name: "etl", guarantee: { cpu: 2 }, children: [{ name: "a", guarantee: { cpu: "2500m" } }] }] },
    /queue etl: guarantee of cpu: its children are guaranteed more than its own 2/,
  ],
  "a ceiling below the guarantee": [
    { queues: [{ name: "etl", ceiling: { memory: "1Gi" }, children: [{ name: "a", guarantee: { memory: "2Gi" } }] }] },
    /queue etl: ceiling of memory: 1Gi is less than the guarantee/,
  ],
  "priorities that no application can have": [
    { queues: [{ name: "etl", priority: { max: 5 }, children: [{ name: "a", priority: { min: 6 } }] }] },
    /queue etl.a: priority: min 6 is above max 5/,
  ],
  "a default priority outside the range": [
    { queues: [{ name: "etl", priority: { max: 5, default: 9 } }] },
    /queue etl: priority: default 9 is outside the range/,
  ],
  "S3 without a bucket": [{ "staging.storage.kind": "s3" }, /staging.storage.s3.bucket: name the bucket/],
  "Google Cloud Storage without a bucket": [
    { "staging.storage.kind": "gcs" },
    /staging.storage.gcs.uri: name the bucket that files are kept in, such as gs:/,
  ],
  "Azure Data Lake Storage without a container": [
    { "staging.storage.kind": "adls" },
    /staging.storage.adls.uri: name the container that files are kept in, such as abfss:/,
  ],
  "a container without an account": [
    { "staging.storage.kind": "adls", "staging.storage.adls.uri": "abfss://account.dfs.core.windows.net" },
    /storage\/adls\/uri.*does not match pattern/,
  ],
  "HDFS without name nodes": [
    { "staging.storage.kind": "webhdfs" },
    /staging.storage.webhdfs.endpoints: name at least one/,
  ],
  "servers that share a disk": [
    { "staging.replicas": 2 },
    /staging.replicas: 2 servers cannot share staging.storage.kind=volume; take s3, gcs, adls or webhdfs/,
  ],
  "Spark Connect without a profile": [
    { "connect.enabled": true },
    /connect.profiles: describe at least one profile, such as small: /,
  ],
  "a profile in a namespace of others": [
    { ...CONNECT, namespaces: ["etl"] },
    /profile fixed: applications do not run in namespace adhoc; take one of etl/,
  ],
  "a field of a profile": [
    { "connect.profiles": { small: { namespace: "etl", imag: "spark:4" } } },
    /'\/connect\/profiles\/small': additional properties 'imag' not allowed/,
  ],
  "a profile without a namespace": [
    { "connect.profiles": { small: { image: "spark:4" } } },
    /'\/connect\/profiles\/small': missing property 'namespace'/,
  ],
  "the name of a profile": [
    { "connect.profiles": { Small: { namespace: "etl" } } },
    /'\/connect\/profiles': additional properties 'Small' not allowed/,
  ],
  "a usual profile that there is not": [
    { ...CONNECT, "connect.settings": { "profiles.default": "large" } },
    /profiles.default: there is no profile large in connect.profiles/,
  ],
  "a recorder inside of several gateways": [
    { "recorder.enabled": true, "recorder.inGateway": true, "gateway.replicas": 2 },
    /recorder.inGateway: one process records at a time; set gateway.replicas to 1/,
  ],
  "a recorder inside of a gateway that is not there": [
    { "recorder.enabled": true, "recorder.inGateway": true, "gateway.enabled": false },
    /recorder.inGateway: there is no gateway/,
  ],
};

describe.skipIf(!hasHelm)(`values${WHERE_HELM_IS}`, () => {
  test.concurrent.each(Object.entries(REFUSED))("%s is refused, with what is wrong", async (_name, [values, said]) => {
    await expect(render(values)).rejects.toThrow(said);
  });
});
