import { formatProperties, isKindlingError } from "@kindling/core-spec";
import { caught } from "@kindling/test-kit/caught";
import fc from "fast-check";
import { expect, test } from "vitest";
import { LOCAL_FILE_KEYS } from "../../../src/gather/access.ts";
import { isTaken, parseInstallation } from "../../../src/gather/installation/installation.ts";
import { effectiveInstallation } from "../../../src/gather/installation/with-installation.ts";

const PEM = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n";

const takenKey = fc
  .tuple(
    fc.constantFrom("staging", "localizer", "scheduler", "driver.restart"),
    fc.stringMatching(/^[a-z][A-Za-z.]{0,20}$/),
  )
  .map(([part, name]) => `spark.kindling.${part}.${name}`)
  .filter(isTaken);
const value = fc.string().map((text) => text.trim());

test("what an installation was told comes out of its ConfigMap", () => {
  fc.assert(
    fc.property(fc.dictionary(takenKey, value, { noNullPrototype: true }), (entries) => {
      const data = {
        version: "0.1.0\n",
        namespaces: "a b\n",
        "kindling.properties": formatProperties(entries, "made"),
        "ca.crt": PEM,
      };
      expect(parseInstallation("spark", data)).toEqual({
        namespace: "spark",
        version: "0.1.0",
        namespaces: ["a", "b"],
        entries,
        ca: PEM,
      });
    }),
  );
});

/** Keys that an installation may not set; none if the data is refused with an error for the user. */
function strangeKeys(data: Readonly<Record<string, unknown>>): string[] {
  try {
    return Object.keys(parseInstallation("spark", data).entries).filter((key) => !isTaken(key));
  } catch (error) {
    if (isKindlingError(error) && error.code === "FILE_UNPARSABLE") return [];
    throw error;
  }
}

test("any data is an installation or a KindlingError, and only keys of an installation's are taken", () => {
  const anyData = fc.dictionary(
    fc.oneof(fc.constantFrom("version", "kindling.properties", "ca.crt"), fc.string()),
    fc.oneof(fc.string(), fc.string({ unit: "binary" }), fc.anything()),
  );
  fc.assert(
    fc.property(anyData, (data) => {
      expect(strangeKeys(data)).toEqual([]);
    }),
  );
});

test("whoever writes it does not get files read, modules loaded, or secrets sent in the clear", () => {
  const refused = [
    ...LOCAL_FILE_KEYS,
    "spark.kindling.steps",
    "spark.kindling.staging.allowInsecure",
    "spark.kindling.installation",
    "spark.kindling.submit.exitCode",
    "spark.kindling.sparkVersion",
    "spark.master",
    "spark.kubernetes.namespace",
    "spark.kindling.schedulers",
  ];
  const text = refused.map((key) => `${key}=x\n`).join("");
  expect(parseInstallation("spark", { "kindling.properties": text }).entries).toEqual({});
});

test("what makes no sense is named with its place", async () => {
  const error = await caught(
    Promise.resolve().then(() => parseInstallation("spark", { "kindling.properties": "a=1\nb=\\u12" })),
  );
  expect(error.message).toMatch(/^configmap kindling in namespace spark: kindling\.properties, line 2: /);
  const noPem = await caught(Promise.resolve().then(() => parseInstallation("spark", { "ca.crt": "no PEM" })));
  expect(noPem.message).toBe("configmap kindling in namespace spark: ca.crt holds no certificate in PEM");
  expect(noPem.hint).toContain("spark.kindling.installation=none");
});

const ENTRIES = {
  "spark.kindling.staging.uri": "k8s+https://kindling/kindling-staging:10000",
  "spark.kindling.staging.internalUri": "https://kindling-staging.kindling.svc:10000",
  "spark.kindling.localizer.image": "localizer:1",
  "spark.kindling.scheduler": "gateway",
  "spark.kindling.scheduler.uri": "https://kindling-gateway.kindling.svc:8443",
  "spark.kindling.scheduler.queue": "default",
};

test.each<[string, Record<string, string>, readonly string[]]>([
  ["nothing", {}, Object.keys(ENTRIES)],
  [
    "a staging server, by its older name",
    { "spark.kubernetes.resourceStagingServer.uri": "https://other:1" },
    ["localizer.image", "scheduler", "scheduler.uri", "scheduler.queue"],
  ],
  [
    "a path for uploads",
    { "spark.kubernetes.file.upload.path": "s3a://bucket" },
    ["localizer.image", "scheduler", "scheduler.uri", "scheduler.queue"],
  ],
  [
    "that drivers make their executors",
    { "spark.kindling.scheduler": "native" },
    ["staging.uri", "staging.internalUri", "localizer.image"],
  ],
  [
    "a gateway",
    { "spark.kindling.scheduler.uri": "https://other:1" },
    ["staging.uri", "staging.internalUri", "localizer.image", "scheduler"],
  ],
  [
    "an image",
    { "spark.kindling.localizer.image": "other" },
    ["staging.uri", "staging.internalUri", "scheduler", "scheduler.uri", "scheduler.queue"],
  ],
])("a configuration that names %s is not mixed with the installation's", (_, given, left) => {
  const installation = { namespace: "kindling", version: "1", namespaces: undefined, entries: ENTRIES, ca: undefined };
  const keys = left.map((key) => (key.startsWith("spark.") ? key : `spark.kindling.${key}`));
  expect(Object.keys(effectiveInstallation(installation, given).entries).sort()).toEqual(keys.toSorted());
});
